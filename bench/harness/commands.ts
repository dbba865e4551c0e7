// The child's half of a conversation: commands that the parent calls by name, one answer each.

export type Commands = Record<string, (...input: never[]) => Promise<unknown>>;

export interface Call {
  id: number;
  name: string;
  input: unknown[];
}

export interface Reply {
  id: number;
  output?: unknown;
  /** Set when the command failed. */
  error?: string;
}

/** Answers the parent's calls until it is gone. */
export const serve = (commands: Commands): void => {
  const answer = async ({ name, input }: Call): Promise<unknown> => {
    const command = commands[name];
    if (!command) throw new Error(`There is no command ${name}.`);
    return command(...(input as never[]));
  };
  process.on("message", (call: Call) => {
    void answer(call).then(
      (output) => process.send?.({ id: call.id, output } satisfies Reply),
      (error: Error) => process.send?.({ id: call.id, error: error.message } satisfies Reply),
    );
  });
  process.on("disconnect", () => process.exit());
};
