// What the OpenAPI document declares, operation by operation, and requests made from nothing but it.
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { type DescribedAnswer, type Route, resolved, routesOf } from "./answer-check.ts";
import { answerCheck, apiDocument, type TestApp } from "./test-app.ts";

export const routes = routesOf(apiDocument);

const byId = new Map(routes.map((route) => [route.operation.operationId, route]));

export const routeOf = (operationId: string): Route => {
  const route = byId.get(operationId);
  if (!route) throw new Error(`there is no operation ${operationId}`);
  return route;
};

/** An id that nothing has. */
export const nobody = "01a1fc7d-0000-7000-8000-000000000000";

interface Narrowing {
  properties: { code: { enum: string[] } };
}

/** `<operationId> <status>` of every success, `<operationId> <status> <code>` of every problem. */
export const declaredAnswers = routes.flatMap(({ operation: { operationId, responses } }) =>
  Object.entries(responses).flatMap(([status, answer]) => {
    const { content } = resolved<DescribedAnswer>(apiDocument, answer);
    const problem = content?.["application/problem+json"]?.schema as { allOf?: [unknown, Narrowing] } | undefined;
    const codes = problem?.allOf?.[1].properties.code.enum;
    return codes?.map((code) => `${operationId} ${status} ${code}`) ?? [`${operationId} ${status}`];
  }),
);

const addressOf = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, nobody);

/** The first example of the operation's body, to an id that nothing has. */
export const sendExample = (
  to: TestApp,
  route: Route,
  { search = "", headers = {}, body }: { search?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> => {
  const { requestBody } = route.operation;
  const [example] = Object.values(requestBody?.content["application/json"]?.examples ?? {});
  return to.request(`${addressOf(route)}${search}`, {
    method: route.method.toUpperCase(),
    headers: {
      accept: "application/json",
      authorization: `Bearer ${to.token}`,
      "content-type": "application/json",
      ...headers,
    },
    ...(requestBody && { body: body ?? JSON.stringify(example?.value ?? {}) }),
    ...(body !== undefined && { body }),
  });
};

/** Announces a body that is too large; nobody waits for it to be sent. */
export const announceLargeBody = async (to: TestApp, route: Route, headers: Record<string, string>): Promise<void> => {
  const method = route.method.toUpperCase();
  const url = `${to.baseUrl}${addressOf(route)}`;
  const sent = httpRequest(url, {
    method,
    headers: {
      authorization: `Bearer ${to.token}`,
      "content-type": "application/json",
      "content-length": 20 * 1024 * 1024,
      ...headers,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  sent.on("error", reject).on("response", async (answer) => {
    const init = { status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string> };
    resolve(new Response(await text(answer), init));
  });
  sent.flushHeaders();
  const answer = await promise;
  sent.destroy();
  await answerCheck.check(method, url, answer);
};
