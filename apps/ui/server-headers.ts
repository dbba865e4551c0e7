// The headers that confine what a page of the UI may load, run and reach.
import type { ServerSettings } from "./server-settings.ts";

const originOf = (address: string): string[] => URL.parse(address)?.origin.split(" ") ?? [];

/** The headers of every answer but the page's own policy. */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
} as const;

/** The page's Content-Security-Policy: nothing inline but the styles that carry this page's nonce. */
export const contentSecurityPolicy = (nonce: string, { apiBase, oidc }: ServerSettings): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...originOf(oidc.issuer), ...originOf(apiBase)].join(" ")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
