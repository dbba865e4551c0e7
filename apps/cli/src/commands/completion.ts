// `task-service completion`: a script that completes commands and options in bash, zsh or fish.
import { Argument, Command } from "commander";

/** What may follow some words of the command line. */
interface Place {
  /** The words so far: empty at the beginning. */
  readonly words: string;
  readonly commands: readonly { name: string; about: string }[];
  readonly options: readonly { name: string; about: string }[];
}

const placesIn = (command: Command, words: readonly string[] = []): Place[] => [
  {
    words: words.join(" "),
    commands: command.commands.map((child) => ({ name: child.name(), about: child.description() })),
    options: [
      ...command.options.flatMap(({ long, description }) => (long ? [{ name: long, about: description }] : [])),
      { name: "--help", about: "print help" },
    ],
  },
  ...command.commands.flatMap((child) => placesIn(child, [...words, child.name()])),
];

const namesOf = ({ commands, options }: Place): string => [...commands, ...options].map(({ name }) => name).join(" ");

/** The words before the cursor without options and their values decide; unknown ones are arguments. */
const shellCases = (places: readonly Place[]): string =>
  places.map((place) => `    "${place.words}") words="${namesOf(place)}" ;;`).join("\n");

const bash = (places: readonly Place[]): string => `_task_service() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" words word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $(_task_service_places) " in *"|\${place:+$place }$word|"*) place="\${place:+$place }$word" ;; esac
  done
  case "$place" in
${shellCases(places)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
_task_service_places() { printf '%s' "|${places.map(({ words }) => words).join("|")}|"; }
complete -F _task_service task-service
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`;

const zshCases = (places: readonly Place[]): string =>
  places
    .map(({ words, commands, options }) => {
      const entries = [...commands, ...options].map(({ name, about }) =>
        quoted(`${name}:${about}`).replace("\\:", ":"),
      );
      return `    "${words}") entries=(${entries.join(" ")}) ;;`;
    })
    .join("\n");

const zsh = (places: readonly Place[]): string => `#compdef task-service
_task_service() {
  local place="" word
  local -a entries
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "|${places.map(({ words }) => words).join("|")}|" in *"|\${place:+$place }$word|"*) place="\${place:+$place }$word" ;; esac
  done
  case "$place" in
${zshCases(places)}
  esac
  _describe 'task-service' entries || _files
}
compdef _task_service task-service
`;

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Only commands nest, and only once: `personas lint`. */
const fish = (places: readonly Place[]): string =>
  places
    .flatMap(({ words, commands, options }) => {
      const seen = words.split(" ").filter(Boolean);
      const isHere = seen.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
      const condition = isHere || "__fish_use_subcommand";
      const line = (rest: string, about: string): string =>
        `complete -c task-service -n ${fishQuoted(condition)} ${rest} -d ${fishQuoted(about)}`;
      return [
        ...commands.map(({ name, about }) => line(`-f -a ${name}`, about)),
        ...options.map(({ name, about }) => line(`-l ${name.slice(2)}`, about)),
      ];
    })
    .join("\n")
    .concat("\n");

const writers = { bash, zsh, fish };

const help = `
Examples
  $ task-service completion bash >> ~/.bashrc
  $ task-service completion zsh > "\${fpath[1]}/_task-service"
  $ task-service completion fish > ~/.config/fish/completions/task-service.fish
`;

/** For the commands of `program`. */
export const completionCommand = (program: Command): Command =>
  new Command("completion")
    .description("print a script that completes commands and options")
    .addArgument(new Argument("<shell>", "of your shell").choices(Object.keys(writers)))
    .addHelpText("after", help)
    .action((shell: keyof typeof writers) => void process.stdout.write(writers[shell](placesIn(program))));
