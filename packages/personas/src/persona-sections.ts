// Which sections a persona's body has: Markdown headings of any level, those in code blocks left out.

const sections = ["Role", "Responsibilities", "Out of scope", "Workflow", "Output"];

/** The text of a heading without its signs; loops and trims, since a pattern could take quadratic time here. */
const textOfHeading = (line: string): string | undefined => {
  const signs = /^ {0,3}#{1,6}(?=[ \t])/.exec(line);
  if (!signs) return undefined;
  const text = line.slice(signs[0].length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end).trimEnd();
};

const listHeadings = (body: string): string[] => {
  const headings: string[] = [];
  let fence: string | undefined;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const signs = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      // Backticks that are closed in the same line are code inside text.
      const rest = signs ? line.slice(line.indexOf(signs) + signs.length) : "";
      if (signs && !(signs.startsWith("`") && rest.includes("`"))) fence = signs;
      const heading = textOfHeading(line);
      if (heading !== undefined) headings.push(heading);
    } else if (signs?.startsWith(fence) && line.trim() === signs) fence = undefined;
  }
  return headings;
};

/** Sections that `body` lacks, in their usual order; neither level nor case of a heading matters. */
export const listMissingSections = (body: string): string[] => {
  const headings = new Set(listHeadings(body).map((heading) => heading.toLowerCase()));
  return sections.filter((section) => !headings.has(section.toLowerCase()));
};
