// The frame of a chart: a title that says what it shows, one sentence, the chart or its table, and the tasks behind it.
import { Button, CopyButton, Group, Paper, Text, Title } from "@mantine/core";
import { IconChartAreaLine, IconChartBar, IconCheck, IconCopy, IconTable } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { type ChartColumn, ChartTable, csvOf } from "./chart-table.tsx";
import classes from "./insights-page.module.css";

interface ChartCardProps<Row> {
  title: string;
  /** One sentence that says what the chart shows; null where there is nothing to show. */
  summary: string | null;
  /** Said where there is nothing to show. */
  nothing: string;
  /** What limits the numbers: other days, every organization. */
  remark?: string | undefined;
  columns: readonly ChartColumn<Row>[];
  rows: readonly Row[];
  /** The tasks behind it. */
  link?: ReactNode;
  children: ReactNode;
}

export const ChartCard = <Row,>(props: ChartCardProps<Row>) => {
  const { title, summary, nothing, remark, columns, rows, link, children } = props;
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Paper component="section" withBorder p="md" className={classes.card ?? ""} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {summary} {remark}
      </Text>
      {summary === null ? (
        <p className={classes.nothing}>
          <IconChartAreaLine size={24} stroke={1.5} aria-hidden />
          {nothing}
        </p>
      ) : (
        <>
          {isTable ? <ChartTable name={title} columns={columns} rows={rows} /> : children}
          <Group mt="auto" pt="sm" gap="xs" justify="space-between">
            <Group gap="xs">
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<Icon size={16} />}
                aria-describedby={id}
                onClick={() => setIsTable(!isTable)}
              >
                {isTable ? "Show as chart" : "Show as table"}
              </Button>
              <CopyButton value={csvOf(columns, rows)}>
                {({ copied, copy }) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                    aria-describedby={id}
                    onClick={copy}
                  >
                    {copied ? "Copied" : "Copy as CSV"}
                  </Button>
                )}
              </CopyButton>
            </Group>
            {link}
          </Group>
        </>
      )}
    </Paper>
  );
};
