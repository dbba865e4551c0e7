// Which texts are too large or too deeply nested to be rendered as Markdown without stalling the page.

const maxCharacters = 20_000;
const maxLineMarkers = 60;
const markers = /^[\s>*+\-\d.)]*/;

/** True if the text is to be shown as it was written. */
export const isTooHeavy = (text: string): boolean =>
  text.length > maxCharacters ||
  text.split("\n").some((line) => (markers.exec(line)?.[0].length ?? 0) > maxLineMarkers && /[>*+-]/.test(line));
