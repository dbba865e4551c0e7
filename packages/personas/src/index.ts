// What a persona is, and what an agents repository says about it: the same for synchronization and for the lint.
export * from "./persona.ts";
export * from "./persona-listing.ts";
