// The login form of the development provider: shows it, checks what comes back, resumes the flow.
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Provider } from "oidc-provider";
import { accounts } from "./identity-accounts.ts";
import { loginPage, messagePage } from "./identity-pages.ts";

export const handleLogin = async (
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const show = (status: number, page: string) =>
    response
      .writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
      .end(request.method === "HEAD" ? "" : page);

  const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
  if (!interaction) {
    show(400, messagePage("This sign-in has expired", "Go back to the application and sign in again."));
    return;
  }
  const action = `/login/${interaction.uid}`;
  if (request.method !== "POST") {
    show(200, loginPage(action));
    return;
  }
  const form = new URLSearchParams(await text(request));
  const username = form.get("username")?.trim() ?? "";
  const account = accounts.find((one) => one.username === username && one.username === form.get("password"));
  if (account) await provider.interactionFinished(request, response, { login: { accountId: account.username } });
  else show(401, loginPage(action, username));
};
