// Which addresses of an identity provider are used: https, or http on this machine.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { discover } from "./provider-requests.ts";

/** A provider that describes itself so. */
const providerWith = async (endpoints: Record<string, unknown>): Promise<string> => {
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, ...endpoints }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test("endpoints are https, or http on a loopback address", async () => {
  for (const address of ["https://id.example/a", "http://127.0.0.2:1/a", "http://localhost/a", "http://[::1]/a"]) {
    const provider = await discover(await providerWith({ authorization_endpoint: address }));
    expect(provider.authorization_endpoint).toBe(address);
  }
});

test.each([
  ["authorization_endpoint", "file:///etc/passwd"],
  ["authorization_endpoint", "javascript:alert(1)"],
  ["token_endpoint", "http://id.example/token"],
  ["device_authorization_endpoint", "http://127.0.0.1.example/device"],
  ["device_authorization_endpoint", "/device"],
  ["revocation_endpoint", 7],
  ["revocation_endpoint", `http://id.example/${"x".repeat(5_000)}`],
])("%s %s is refused by name", async (name, address) => {
  const issuer = await providerWith({ [name]: address });
  const refusal = await discover(issuer).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ exitCode: exitCodes.configuration, message: expect.stringContaining(name) });
  expect((refusal as Error).message.length).toBeLessThan(400);
});

test.each(["http://id.example", "file:///etc", "id.example", "ftp://127.0.0.1"])(
  "nobody is asked at %s",
  async (issuer) => {
    await expect(discover(issuer)).rejects.toMatchObject({
      exitCode: exitCodes.configuration,
      message: expect.stringMatching(/identity provider's address.*https/),
    });
  },
);
