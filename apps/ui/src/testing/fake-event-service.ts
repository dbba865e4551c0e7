// A service that streams what a test says, over as many connections as it is asked for.

export interface FakeConnection {
  headers: Record<string, string>;
  say: (text: string) => void;
  end: () => void;
  isOpen: () => boolean;
}

/** The frame of an event that a task was created. */
export const frame = (id: string, task_id: string = id): string => {
  const event = { id, type: "task.created", task_id };
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
};

/** With a `status` other than 200 it refuses; `asked` counts the requests. */
export const createFakeEventService = () => {
  const connections: FakeConnection[] = [];
  const service = { status: 200, asked: 0 };
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    service.asked += 1;
    init?.signal?.throwIfAborted();
    if (service.status !== 200) {
      const problem = { code: "unauthenticated", status: service.status, title: "No.", detail: "No." };
      return Response.json(problem, {
        status: service.status,
        headers: { "content-type": "application/problem+json" },
      });
    }
    let isOpen = true;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const close = (error?: unknown) => {
          if (!isOpen) return;
          isOpen = false;
          if (error) controller.error(error);
          else controller.close();
        };
        init?.signal?.addEventListener("abort", () => close(init.signal?.reason));
        connections.push({
          headers: init?.headers as Record<string, string>,
          say: (text) => controller.enqueue(new TextEncoder().encode(text)),
          end: () => close(),
          isOpen: () => isOpen,
        });
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return { connections, service, fetch: fetch as typeof globalThis.fetch };
};
