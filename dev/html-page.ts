// The look of every page the development environment serves itself: self-contained, light and dark.

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A whole document. `title` is text, `body` is HTML. */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body><main>${body}</main></body>
</html>
`;

const style = `
:root { color-scheme: light dark; --accent: light-dark(#4338ca, #a5b4fc); --on-accent: light-dark(#fff, #1e1b4b);
  --card: light-dark(#fff, #1f2028); --line: light-dark(#d7d9e0, #3b3d4a); --quiet: light-dark(#555a6b, #a9adbd); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f3f4f8, #14151b); color: light-dark(#1c1e26, #e8e9ef); }
main { width: 100%; max-width: 24rem; padding: 2rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
main:has(pre, .wide) { max-width: 60rem; }
h1 { margin: 0 0 0.25rem; font-size: 1.4rem; }
p { margin: 0 0 1rem; } a { color: var(--accent); }
.quiet, dl { color: var(--quiet); font-size: 0.875rem; }
.alert { padding: 0.5rem 0.75rem; border-radius: 0.5rem; background: light-dark(#fde8e8, #4c1d1d); color: light-dark(#8f1d1d, #ffc9c9); }
label { display: block; margin-bottom: 0.25rem; font-weight: 600; font-size: 0.875rem; }
input:not([type=hidden]) { width: 100%; margin-bottom: 1rem; padding: 0.6rem 0.75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 0.5rem; }
button { width: 100%; padding: 0.65rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent);
  border: 0; border-radius: 0.5rem; cursor: pointer; }
button.plain { margin-top: 0.5rem; background: transparent; color: var(--quiet); }
:is(input, button, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.125rem 1rem; margin: 1.5rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); }
dt, code, pre { font-family: ui-monospace, monospace; } dd { margin: 0; }
pre { overflow: auto; margin: 0; font-size: 0.875rem; white-space: pre-wrap; } .code { font-size: 1.75rem; letter-spacing: 0.1em; }
`;
