// `task-service completion`: a script that completes commands, options and names in bash, zsh or fish.
import { Argument, Command } from "commander";
import { namedByService, offeredValues, type Place, placesIn } from "../completion-places.ts";
import { surroundings } from "../surroundings.ts";

const namesOf = ({ commands, options }: Place): string =>
  [...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(" ");

/** The words before the cursor without options and their values decide; unknown ones are arguments. */
const shellCases = (places: readonly Place[]): string =>
  places.map((place) => `    "${place.words}") words="${namesOf(place)}" ;;`).join("\n");

/** A case for each option whose value is known: `list` and `service` say in the shell what is offered. */
const valueCases = (
  places: readonly Place[],
  shell: { list(values: string): string; service(what: string): string },
): string => {
  const { fromService, fromList } = offeredValues(places);
  return [
    ...fromService.map(({ names, what }) => `    ${names.join("|")}) ${shell.service(what)}; return ;;`),
    ...fromList.map(({ names, values }) => `    ${names.join("|")}) ${shell.list(values.join(" "))}; return ;;`),
  ].join("\n");
};

/** Also for the bash 3.2 of macOS. */
const bash = (places: readonly Place[]): string => `_task_service() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" words word
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(places, {
  list: (values) => `_task_service_offer "${values}" "$current"`,
  service: (what) => `_task_service_offer "$("\${COMP_WORDS[0]}" __complete ${what} 2> /dev/null)" "$current"`,
})}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $(_task_service_places) " in *"|\${place:+$place }$word|"*) place="\${place:+$place }$word" ;; esac
  done
  case "$place" in
${shellCases(places)}
  esac
  _task_service_offer "$words" "$current"
  [ \${#COMPREPLY[@]} -eq 0 ] || return
  compopt -o filenames 2> /dev/null
  _task_service_take < <(compgen -f -- "$current")
}
_task_service_offer() { _task_service_take < <(compgen -W "$1" -- "$2"); }
_task_service_take() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}
_task_service_places() { printf '%s' "|${places.map(({ words }) => words).join("|")}|"; }
complete -F _task_service task-service
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`;

const zshCases = (places: readonly Place[]): string =>
  places
    .map(({ words, commands, options }) => {
      const named = [...commands, ...options.map(({ long, about }) => ({ name: long, about }))];
      const entries = named.map(({ name, about }) => quoted(`${name}:${about}`).replace("\\:", ":"));
      return `    "${words}") entries=(${entries.join(" ")}) ;;`;
    })
    .join("\n");

/** In a folder of $fpath the file is the function itself, and runs at the first completion. */
const zsh = (places: readonly Place[]): string => `#compdef task-service
_task_service() {
  local place="" word
  local -a entries
  case "\${words[CURRENT-1]}" in
${valueCases(places, {
  list: (values) => `compadd -- ${values}`,
  service: (what) => `compadd -- \${(f)"$("\${words[1]}" __complete ${what} 2> /dev/null)"}`,
})}
  esac
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "|${places.map(({ words }) => words).join("|")}|" in *"|\${place:+$place }$word|"*) place="\${place:+$place }$word" ;; esac
  done
  case "$place" in
${zshCases(places)}
  esac
  _describe 'task-service' entries || _files
}
if [ "\${funcstack[1]}" = "_task-service" ]; then _task_service "$@"; else compdef _task_service task-service; fi
`;

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const fishValue = (long: string, takesValue: boolean, values: readonly string[]): string => {
  const what = namedByService[long];
  if (what) return ` -x -a '(task-service __complete ${what} 2> /dev/null)'`;
  if (values.length > 0) return ` -x -a '${values.join(" ")}'`;
  return takesValue ? " -r" : "";
};

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
        ...options.map(({ long, short, about, takesValue, values }) => {
          const names = `-l ${long.slice(2)}${short ? ` -s ${short.slice(1)}` : ""}`;
          return line(names + fishValue(long, takesValue, values), about);
        }),
      ];
    })
    .join("\n")
    .concat("\n");

const writers = { bash, zsh, fish };

const help = `
Names of agent types and organizations are asked from the service, with your settings,
for a second at most.

Examples
  $ task-service completion bash >> ~/.bashrc
  $ task-service completion zsh > "\${fpath[1]}/_task-service"
  $ task-service completion fish > ~/.config/fish/completions/task-service.fish
`;

/** For the commands of the program that `load` makes. */
export const completionCommand = (load: () => Promise<Command>): Command =>
  new Command("completion")
    .addArgument(new Argument("<shell>", "of your shell").choices(Object.keys(writers)))
    .addHelpText("after", help)
    .action(async (shell: keyof typeof writers) => {
      surroundings().stdout.write(writers[shell](placesIn(await load())));
    });
