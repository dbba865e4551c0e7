// The files that a synchronization refused or warned about: each with its causes, and the way to the line.
import { Alert, Anchor, Button, Code, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import type { Organization, SyncFinding } from "@task-service/contract";
import { useState } from "react";
import { gitFileUrl } from "../../lib/git-words.ts";
import classes from "./sync-findings.module.css";

interface SyncFindingsProps {
  title: string;
  organization: Organization;
  findings: readonly SyncFinding[];
  isError?: boolean;
}

const shownFirst = 3;
const shownMore = 50;

/** What authors type stands between backticks. */
const Detail = ({ text }: { text: string }) => (
  <bdi>
    {text.split("`").map((part, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their places.
      at % 2 === 1 ? <Code key={at}>{part}</Code> : part,
    )}
  </bdi>
);

interface PlaceProps {
  organization: Organization;
  path: string;
  line: number | null;
}

/** The file or a line of it as it was read; without a commit nobody knows where that is. */
const Place = ({ organization: { agents_repo_effective_url, sync }, path, line }: PlaceProps) => {
  const words = line === null ? path : `Line ${line}`;
  if (sync.commit === null) return <bdi>{words}</bdi>;
  return (
    <Anchor
      href={gitFileUrl(agents_repo_effective_url, sync.commit, path, line)}
      target="_blank"
      rel="noreferrer"
      inherit
      // On the notice's surface the colour of links is too faint.
      c="bright"
      {...(line !== null && { "aria-label": `${words} of ${path}` })}
    >
      <bdi>{words}</bdi>
    </Anchor>
  );
};

export const SyncFindings = ({ title, organization, findings, isError = false }: SyncFindingsProps) => {
  const [shown, setShown] = useState(shownFirst);
  if (findings.length === 0) return null;
  const files = [...Map.groupBy(findings, ({ path }) => path)];
  const hiddenCount = Math.max(0, files.length - shown);
  return (
    <Alert color={isError ? "red" : "yellow"} icon={isError ? <IconAlertTriangle /> : <IconInfoCircle />} title={title}>
      <Stack gap="xs" align="flex-start">
        <ul className={classes.files}>
          {files.slice(0, shown).map(([path, ofFile]) => (
            <li key={path}>
              <Text span fw={600}>
                <Place organization={organization} path={path} line={null} />
              </Text>
              <ul className={classes.causes}>
                {ofFile.map(({ line, detail }) => (
                  <li key={`${line}:${detail}`}>
                    {line !== null && (
                      <>
                        <Place organization={organization} path={path} line={line} />
                        {": "}
                      </>
                    )}
                    <Detail text={detail} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
        {hiddenCount > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => setShown(shown + shownMore)}>
            {hiddenCount === 1 ? "Show the other file" : `Show ${Math.min(hiddenCount, shownMore)} more files`}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};
