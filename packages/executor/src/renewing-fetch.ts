// A fetch that renews a refused token and repeats the request once.
import type { Credentials } from "./credentials.ts";

/** For the contract's client. A 401 that is still there after the renewal reaches the caller. */
export const createRenewingFetch =
  (credentials: Pick<Credentials, "renew">): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const headers = new Headers(init?.headers);
    const refused = headers.get("authorization")?.replace("Bearer ", "");
    if (response.status !== 401 || !refused) return response;
    const token = await credentials.renew(refused);
    if (token === refused) return response;
    await response.body?.cancel();
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
