// `task-service note`: leaves word on a task, or lists what was left.

import { Command } from "commander";
import { wrongUse } from "../exit-codes.ts";
import { withInputText } from "../input-text.ts";
import { integer } from "../option-values.ts";
import { withSession } from "../session.ts";
import { surroundings } from "../surroundings.ts";
import { printNotes } from "../task-text.ts";
import { print, printJson, say } from "../terminal.ts";
import { dispatchFieldFor, taskIdOr, workerSurroundings } from "../worker-surroundings.ts";

interface NoteOptions {
  list?: boolean;
  limit?: number;
  file?: string;
  json?: boolean;
}

const help = `
Whoever takes the task over is given its last 20 notes. TASK is an id, or . for the
worker's own task.

Examples
  $ task-service note 0199aa… "The staging database is back"
  $ task-service note . --file findings.md
  $ task-service note 0199aa… --list
`;

const listNotes = (id: string, { limit = 20, json }: NoteOptions): Promise<void> =>
  withSession(async ({ client }) => {
    const page = await client.listNotes({ params: { id }, query: { limit } });
    if (json) return printJson(page);
    if (page.items.length === 0) return say("No notes.");
    printNotes(page.items);
  });

const note = (named: string, words: string[], options: NoteOptions): Promise<void> => {
  const id = taskIdOr(named === "." ? workerSurroundings(surroundings().env).taskId : named);
  if (options.list && words.length > 0) throw wrongUse("Give a text or --list, not both.");
  if (options.list) return listNotes(id, options);
  return withSession(async ({ client }) => {
    const left = await withInputText(words, options.file, "note", (text) =>
      client.createNote({ params: { id }, body: { text, ...dispatchFieldFor(id) } }),
    );
    if (options.json) printJson(left);
    else print(`Left a note on ${left.task_id}.`);
  });
};

export const noteCommand = (): Command =>
  new Command("note")
    .argument("<task>", "its id")
    .argument("[text...]", "the note; else --file, standard input, or $EDITOR")
    .option("--list", "list its notes, newest first")
    .option("-n, --limit <number>", "list so many at most (20)", integer)
    .option("-f, --file <path>", "read the note from a file, - for standard input")
    .option("--json", "print the note, or the page of notes, as the API has it")
    .addHelpText("after", help)
    .action(note);
