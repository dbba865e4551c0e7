// An instant as a person says it, with the exact one on hover.
import { ago, exact, span } from "../lib/instants.ts";
import { useNow } from "../lib/now.ts";

interface RelativeTimeProps {
  at: string;
  /** An age ("14 min") in place of a moment ("14 min ago"). */
  isAge?: boolean;
}

export const RelativeTime = ({ at, isAge = false }: RelativeTimeProps) => {
  const now = useNow();
  return (
    <time dateTime={at} title={exact(at)} data-age={isAge || undefined}>
      {isAge ? span(Date.parse(at), now) : ago(at, now)}
    </time>
  );
};
