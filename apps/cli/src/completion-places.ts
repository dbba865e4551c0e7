// What a completion script has to know of the command line: which words, options and names may follow where.
import type { Command, Option } from "commander";

export interface OfferedOption {
  /** `--agent-type`, and `-a` if it has a short name. */
  readonly long: string;
  readonly short: string | undefined;
  readonly about: string;
  readonly takesValue: boolean;
  /** What its value may be, if that is settled. */
  readonly values: readonly string[];
}

/** What may follow some words of the command line. */
export interface Place {
  /** The words so far: empty at the beginning. */
  readonly words: string;
  /** With the values of an argument that has but a few. */
  readonly commands: readonly { name: string; about: string }[];
  readonly options: readonly OfferedOption[];
}

/** Options whose values the service knows: what `__complete` is asked for. */
export const namedByService: Readonly<Record<string, "agent-types" | "organizations">> = {
  "--agent-type": "agent-types",
  "--organization": "organizations",
};

const offered = ({ long, short, description, required, argChoices = [], hidden }: Option): OfferedOption[] =>
  long && !hidden ? [{ long, short, about: description, takesValue: required, values: argChoices }] : [];

const isShown = (command: Command): boolean => !command.name().startsWith("_");

export const placesIn = (command: Command, words: readonly string[] = []): Place[] => {
  const children = command.commands.filter(isShown);
  return [
    {
      words: words.join(" "),
      commands: [
        ...children.map((child) => ({ name: child.name(), about: child.description() })),
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
          argChoices.map((name) => ({ name, about: description })),
        ),
      ],
      options: [
        ...command.options.flatMap(offered),
        { long: "--help", short: "-h", about: "print help", takesValue: false, values: [] },
      ],
    },
    ...children.flatMap((child) => placesIn(child, [...words, child.name()])),
  ];
};

/** Options with the values a script may offer, once each: as a list, or as what `__complete` is asked for. */
export const offeredValues = (places: readonly Place[]) => {
  const all = places.flatMap(({ options }) => options);
  const named = (long: string): string[] => [
    long,
    ...new Set(all.flatMap((option) => (option.long === long && option.short ? [option.short] : []))),
  ];
  const choices = new Map(all.flatMap(({ long, values }) => (values.length > 0 ? [[long, values] as const] : [])));
  return {
    fromService: Object.entries(namedByService).map(([long, what]) => ({ names: named(long), what })),
    fromList: [...choices].map(([long, values]) => ({ names: named(long), values })),
  };
};
