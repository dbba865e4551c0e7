// Says, beside an editor, that somebody changed the same thing meanwhile; what is being written stays as it is.
import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Task } from "@task-service/contract";
import { useClient } from "../../data/client-context.tsx";
import { taskHistoryQuery } from "../../data/task-history-data.ts";
import { fieldNames, fieldWords, type ShownField } from "./edit-conflict-dialog.tsx";
import { eventChanges } from "./event-words.ts";
import type { EditedField, TaskEdit } from "./task-edit.ts";

const isShown = (field: EditedField): field is EditedField & ShownField => field in fieldNames;
const maxCharacters = 120;

const short = (text: string) => (text.length > maxCharacters ? null : text);

export const ChangedMeanwhile = ({ edit, task }: { edit: TaskEdit; task: Task }) => {
  const { data } = useInfiniteQuery(taskHistoryQuery(useClient(), task.id, true));
  const field = edit.fields.find(isShown);
  if (!field) return null;
  const events = data?.pages.flatMap(({ items }) => items) ?? [];
  const by = events.find((event) => edit.fields.some((one) => one in eventChanges(event)))?.actor.name;
  const now = short(fieldWords(task, field));
  return (
    <Text size="sm" mt="xs" role="status" style={{ overflowWrap: "anywhere" }}>
      <bdi>{by ?? "Somebody"}</bdi> changed the {fieldNames[field]} meanwhile
      {now === null ? "; saving shows both" : ", to "}
      {now !== null && <bdi>“{now}”</bdi>}. What you write stays.
    </Text>
  );
};
