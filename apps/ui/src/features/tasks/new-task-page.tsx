// Writing a new task, or a follow-up of another one.
import { Alert, Anchor, Box, Button, Text } from "@mantine/core";
import { IconRobotOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { PageHeader } from "../../components/page-header.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";
import { NewTaskForm } from "./new-task-form.tsx";

const ParentLine = ({ id }: { id: string }) => {
  const { data: parent } = useQuery(taskQuery(useClient(), id));
  return (
    <>
      Follow-up of{" "}
      <Anchor renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} {...props} />}>
        {parent?.title ?? "another task"}
      </Anchor>
    </>
  );
};

const NoAgentTypesAlert = () => (
  <Alert icon={<IconRobotOff />} title="No agent types are configured" mb="lg">
    <Text mb="xs">The agents repository of an organization must be created to add some.</Text>
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/agents" {...props} />}>
      How to add agent types
    </Button>
  </Alert>
);

const NewTaskPage = ({ parent, agent }: { parent?: string; agent?: string }) => {
  const navigate = useNavigate();
  const { data: agentTypes } = useQuery(agentTypesQuery(useClient()));
  return (
    <Box maw={760}>
      <PageHeader title={parent ? "New follow-up" : "New task"} numbers={parent && <ParentLine id={parent} />} />
      {agentTypes?.every(({ is_active }) => !is_active) && <NoAgentTypesAlert />}
      <NewTaskForm
        {...(parent && { parent })}
        {...(agent && { agent })}
        onCreated={({ id }) => navigate({ to: "/tasks/$id", params: { id }, replace: true })}
      />
    </Box>
  );
};

export default NewTaskPage;
