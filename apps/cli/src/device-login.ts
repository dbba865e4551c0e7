// Signing in with a code that is typed into a browser on any device (RFC 8628).
import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure, exitCodes, notSignedIn } from "./exit-codes.ts";
import { GrantRefusal, type Provider, postForm, requestTokens, type TokenAnswer } from "./provider-requests.ts";
import { printable, say } from "./terminal.ts";

export interface SignInRequest {
  readonly clientId: string;
  readonly scope: string;
  /** RFC 8707, for providers that choose the audience by it. */
  readonly resource: string | undefined;
}

interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval?: number;
}

const defaultIntervalSeconds = 5;
const slowerBySeconds = 5;

/** Says where to type which code, and resolves once that was done. Rejects with a failure when it was refused or too late. */
export const deviceLogin = async (
  provider: Provider,
  { clientId: client_id, scope, resource }: SignInRequest,
): Promise<TokenAnswer> => {
  const endpoint = provider.device_authorization_endpoint;
  if (!endpoint) {
    throw new CommandFailure(exitCodes.configuration, "The identity provider has no device flow: leave out --device.");
  }
  const device = await postForm<DeviceAnswer>(endpoint, { client_id, scope, resource });
  say(`Open ${printable(device.verification_uri_complete ?? device.verification_uri)}`);
  say(`and confirm the code ${printable(device.user_code)}`);
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  let intervalSeconds = device.interval ?? defaultIntervalSeconds;
  const endsAtMs = Date.now() + device.expires_in * 1000;
  while (Date.now() < endsAtMs) {
    await sleep(intervalSeconds * 1000);
    try {
      const { device_code } = device;
      return await requestTokens(provider, { grant_type, device_code, client_id, resource });
    } catch (error) {
      if (!(error instanceof GrantRefusal)) throw error;
      if (error.code === "slow_down") intervalSeconds += slowerBySeconds;
      else if (error.code !== "authorization_pending") throw error;
    }
  }
  throw notSignedIn("The code was not confirmed in time.");
};
