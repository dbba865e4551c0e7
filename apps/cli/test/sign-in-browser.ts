// A browser's part in signing in at the development identity provider: keeps cookies, follows redirects, types passwords.

/** Visits addresses as one browser; redirects are followed wherever they lead. */
export const createBrowser = () => {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form && { method: "POST", body: new URLSearchParams(form) };
    const response = await fetch(url, { ...body, headers: { cookie, connection: "close" }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    return next === null ? response : visit(new URL(next, url).href);
  };
  return visit;
};

/** Signs in as `username` at the address of an authorization request, up to the page the client shows. */
export const signInAt = async (url: string, username: string): Promise<Response> => {
  const visit = createBrowser();
  const login = await visit(url);
  return visit(login.url, { username, password: username });
};

/** Confirms a device's code as `username`. */
export const confirmDevice = async (issuer: string, user_code: string, username: string): Promise<void> => {
  const visit = createBrowser();
  const form = await (await visit(`${issuer}/device`)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? "";
  const login = await visit(`${issuer}/device`, { xsrf, user_code, confirm: "yes" });
  await visit(login.url, { username, password: username });
};
