// Reads group membership out of a token's claims, whatever shape the provider gives it (D-07).
import type { JWTPayload } from "jose";

const pathOf = (claim: string): string[] =>
  claim.startsWith("/")
    ? claim
        .slice(1)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    : claim.split(".");

const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/** The claim's value: by its literal name if the token has one of that name, else by path. */
const claimValue = (payload: JWTPayload, claim: string): unknown =>
  own(payload, claim) ?? pathOf(claim).reduce<unknown>(own, payload);

/** The groups a token names: an array, one string (split only by `separator`), or the keys of an object. */
export const groupsIn = (payload: JWTPayload, claim: string, separator?: string): string[] => {
  const value = claimValue(payload, claim);
  if (typeof value === "string") return separator ? value.split(separator) : [value];
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string");
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
};

/** Entra leaves the groups out of a token that would hold too many and says so instead. */
export const hasOverage = (payload: JWTPayload): boolean =>
  payload.hasgroups === true || payload.hasgroups === "true" || own(payload._claim_names, "groups") !== undefined;
