// Takes a stream of Server-Sent Events apart, as far as this service uses them (WHATWG HTML, 9.2).

export interface EventFrame {
  id?: string;
  event?: string;
  data?: string;
}

const readFrame = (text: string): EventFrame =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value = ""] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );

/** Yields each frame as soon as it is whole; comments, as frames without fields. Leaving the loop ends the connection. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<EventFrame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const texts = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
      rest = texts.pop() ?? "";
      yield* texts.map(readFrame);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
