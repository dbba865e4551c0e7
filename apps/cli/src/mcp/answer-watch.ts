// Knows which requests of a transport still wait for their answer, so that a server can end without losing one.
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

/** A request that its client has cancelled is never answered. */
const cancelledBy = (message: JSONRPCMessage): RequestId | undefined =>
  "method" in message && message.method === "notifications/cancelled"
    ? (message.params?.["requestId"] as RequestId | undefined)
    : undefined;

/**
 * Watches a transport that a server is connected to. The function it returns resolves when every request read so far is
 * answered, and after `limitMs` in any case.
 */
export const watchAnswers = (transport: Transport): ((limitMs: number) => Promise<void>) => {
  const open = new Set<RequestId>();
  let onAnswered = (): void => undefined;
  const settle = (id: RequestId | undefined): void => {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) onAnswered();
  };

  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message, extra) => {
    if ("method" in message && "id" in message) open.add(message.id);
    onmessage?.(message, extra);
    settle(cancelledBy(message));
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if (!("method" in message)) settle(message.id);
  };

  return async (limitMs) => {
    if (open.size === 0) return;
    const answered = new Promise<void>((resolve) => {
      onAnswered = resolve;
    });
    await Promise.race([answered, sleep(limitMs, undefined, { ref: false })]);
  };
};
