// What others wrote, made harmless for a terminal: titles, problems of the service, output of workers.

const escaped = (one: string): string => `\\u{${one.codePointAt(0)?.toString(16)}}`;

/** Controls and what is not seen or turns the direction; the joiners that emoji and some scripts need steer nothing. */
const steering = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\u200c\u200d]]/gv;
const steeringInText = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\u200c\u200d]]/gv;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const colourOrSteering = /(\u001b\[[\d;:]*m)|[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\u200c\u200d]]/gv;
const plainAgain = "\u001b[0m";

/** For one line: nothing in what others wrote may steer a terminal or begin a new line; it is shown as `\u{1b}`. */
export const printable = (text: string): string => text.replaceAll(steering, escaped);

/** For text of many lines: as {@link printable}, but lines and tabs stay. */
export const printableText = (text: string): string =>
  text.replaceAll("\r\n", "\n").replaceAll(steeringInText, escaped);

/** For a line of a program's output: as {@link printable}, but tabs and colours stay, which end with the line. */
export const printableOutput = (line: string): string => {
  let isColoured = false;
  const shown = line.replaceAll(colourOrSteering, (found, colour?: string) => {
    isColoured ||= colour !== undefined;
    return colour ?? escaped(found);
  });
  return isColoured ? `${shown}${plainAgain}` : shown;
};
