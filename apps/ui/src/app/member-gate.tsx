// Asks the API who is signed in: only members of the group, and only with the API there, see the screens.

import { useQuery } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import type { ReactNode } from "react";
import { useClient } from "../data/client-context.tsx";
import { meQuery } from "../data/me-data.ts";
import { ApiDownPage } from "./api-down-page.tsx";
import { NotAMemberPage } from "./not-a-member-page.tsx";
import { SplashPage } from "./splash-page.tsx";

const retryMs = 5_000;

const isNotAMember = (error: Error | null): error is ProblemError =>
  error instanceof ProblemError && error.code === "not_a_member";

export const MemberGate = ({ children }: { children: ReactNode }) => {
  const me = useQuery({
    ...meQuery(useClient()),
    // A token says for as long as it lives who is a member; an API that is away may come back at any time.
    refetchInterval: ({ state }) => (state.error && !isNotAMember(state.error) ? retryMs : false),
  });
  if (me.data) return children;
  if (isNotAMember(me.error)) return <NotAMemberPage detail={me.error.problem.detail} />;
  if (me.error) return <ApiDownPage error={me.error} onRetry={() => me.refetch()} isRetrying={me.isFetching} />;
  return <SplashPage>Opening the task service…</SplashPage>;
};
