// What a git host does on a bad day, acted out on one answer.
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type HttpAnswer, htmlAnswer, jsonAnswer, sendAnswer } from "./git-host-http.ts";

export type Fault =
  /** An error of the host, in its own words. */
  | { fault: "status"; status: number; headers?: Record<string, string> }
  /** Any JSON instead of the right one; 200 unless said otherwise. */
  | { fault: "answer"; body: unknown; status?: number }
  /** Without `to` to itself, for ever; 302 unless said otherwise. */
  | { fault: "redirect"; to?: string; status?: number }
  | { fault: "slow"; delay_ms: number }
  /** No answer before the switches change, then the right one. */
  | { fault: "hold" }
  /** Never an answer; half of one; half of one, then the connection ends; the connection ends at once. */
  | { fault: "stall" | "begin-and-stall" | "cut-off" | "drop" }
  /** A whole answer of the right length that is half a JSON, or a page for people. */
  | { fault: "half-json" | "html" };

export const faultNames: readonly Fault["fault"][] = [
  ...(["status", "answer", "redirect", "slow", "hold", "stall", "begin-and-stall", "cut-off", "drop"] as const),
  ...(["half-json", "html"] as const),
];

export interface Scene {
  response: ServerResponse;
  /** The address asked for. */
  url: string;
  /** The answer without the fault. */
  honest(): Promise<HttpAnswer>;
  /** An error as the host words it. */
  refusal(status: number): HttpAnswer;
  /** Aborts when the switches change. */
  lifted: AbortSignal;
}

export const actOut = async (fault: Fault, scene: Scene): Promise<void> => {
  const { response, honest } = scene;
  const send = (answer: HttpAnswer): void => sendAnswer(response, answer);
  switch (fault.fault) {
    case "status": {
      const refusal = scene.refusal(fault.status);
      return send({ ...refusal, headers: { ...refusal.headers, ...fault.headers } });
    }
    case "answer":
      return send(jsonAnswer(fault.status ?? 200, fault.body));
    case "redirect":
      return send({ status: fault.status ?? 302, headers: { Location: fault.to ?? scene.url }, body: "" });
    case "slow":
      await wait(fault.delay_ms);
      return send(await honest());
    case "hold":
      await aborted(scene.lifted);
      return send(await honest());
    case "stall":
      return undefined;
    case "drop":
      return void response.socket?.destroy();
    case "html":
      return send(htmlAnswer(200, "<!doctype html><h1>Sign in</h1>"));
    case "half-json": {
      const answer = await honest();
      return send({ ...answer, body: answer.body.slice(0, answer.body.length / 2) });
    }
    case "begin-and-stall":
    case "cut-off": {
      const { status, headers, body } = await honest();
      const bytes = Buffer.from(body);
      response.writeHead(status, { ...headers, "Content-Length": bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2), () => {
        if (fault.fault === "cut-off") response.destroy();
      });
    }
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
