// Links a task to an issue or pull request, to another one, or to none, in place.
import { Button, Popover, TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { EditButtons } from "./edit-buttons.tsx";
import { EditConflictDialog } from "./edit-conflict-dialog.tsx";
import { useTaskEdit } from "./task-edit.ts";

const fields = ["git_link"] as const;

export const GitLinkEditor = ({ task }: { task: Task }) => {
  const edit = useTaskEdit(task, fields);
  const { data: me } = useQuery(meQuery(useClient()));
  const [url, setUrl] = useState("");
  const isLinked = task.git_link !== null;
  const save = () => edit.save({ git_link: url.trim() });
  return (
    <>
      <Popover
        opened={edit.isOpen && !edit.conflict}
        onDismiss={edit.close}
        width={360}
        position="bottom-end"
        shadow="md"
        trapFocus
        returnFocus
        // What is being written goes only by a word of its own: Cancel, or Escape.
        closeOnClickOutside={false}
      >
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconLink size={14} />}
            onClick={() => {
              if (edit.isOpen) return;
              setUrl(task.git_link?.url ?? "");
              edit.open();
            }}
          >
            {isLinked ? "Change link" : "Link an issue or pull request"}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Edit the link to git" maw="calc(100vw - 32px)">
          <TextInput
            label="Address of the issue or pull request"
            placeholder={`${me?.git_url ?? ""}/owner/repo/issues/1`}
            type="url"
            dir="ltr"
            value={url}
            maxLength={2048}
            error={edit.fieldErrors.git_link}
            readOnly={edit.isSaving}
            variant={edit.isSaving ? "filled" : "default"}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            onKeyDown={({ key }) => {
              if (key === "Enter" && url.trim()) save();
            }}
            data-autofocus
          />
          <EditButtons edit={edit} onSave={save} isIncomplete={!url.trim()}>
            {isLinked && (
              <Button
                size="xs"
                variant="subtle"
                color="red"
                ms="auto"
                onClick={() => edit.save({ git_link: null })}
                disabled={edit.isSaving}
              >
                Remove link
              </Button>
            )}
          </EditButtons>
        </Popover.Dropdown>
      </Popover>
      <EditConflictDialog edit={edit} mineInWords={({ git_link }) => git_link ?? "None"} />
    </>
  );
};
