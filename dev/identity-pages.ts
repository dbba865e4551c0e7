// The pages of the development provider: signing in and out, and confirming a device.

import { escapeHtml, htmlPage } from "./html-page.ts";
import { accounts } from "./identity-accounts.ts";

const logins = accounts
  .map(({ username, groups }) => `<dt>${username}</dt><dd>${groups.length ? "member" : "not a member"}</dd>`)
  .join("");

/** `username` is what was typed when the password was wrong. */
export const loginPage = (action: string, username?: string): string =>
  htmlPage(
    "Sign in · Task Service development",
    `<h1>Sign in</h1>
<p class="quiet">Development identity provider</p>
${username === undefined ? "" : '<p class="alert" role="alert">Username and password do not match.</p>'}
<form method="post" action="${escapeHtml(action)}">
<label for="username">Username</label>
<input id="username" name="username" value="${escapeHtml(username ?? "")}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
<dl>${logins}<dt>password</dt><dd>the same as the name</dd></dl>`,
  );

export const messagePage = (title: string, detail: string): string =>
  htmlPage(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(detail)}</p>`);

/** Signs out without asking; the button is for browsers that run no scripts. `form` comes from the provider. */
export const logoutPage = (form: string): string =>
  htmlPage(
    "Signing out",
    `<h1>Signing out</h1>${form}<input type="hidden" form="op.logoutForm" name="logout" value="yes">
<noscript><button form="op.logoutForm">Sign out</button></noscript>
<script>document.forms[0].submit()</script>`,
  );

/** `form` comes from the provider and lacks label and button. */
export const deviceCodePage = (form: string, hasFailed: boolean): string =>
  htmlPage(
    "Connect a device",
    `<h1>Connect a device</h1>
${hasFailed ? '<p class="alert" role="alert">That code is not valid, or it has been used.</p>' : ""}
<p class="quiet">Enter the code your device shows.</p>
${form.replace("<input\n", '<input aria-label="Code" ')}
<button form="op.deviceInputForm">Continue</button>`,
  );

export const deviceConfirmPage = (form: string, clientName: string, userCode: string): string =>
  htmlPage(
    "Confirm the device",
    `<h1>Confirm the device</h1>
<p><strong>${escapeHtml(clientName)}</strong> asks to act for you. Continue only if your device shows this code:</p>
<p><code class="code">${escapeHtml(userCode)}</code></p>
${form}
<button form="op.deviceConfirmForm" autofocus>Continue</button>
<button class="plain" form="op.deviceConfirmForm" name="abort" value="yes">Cancel</button>`,
  );
