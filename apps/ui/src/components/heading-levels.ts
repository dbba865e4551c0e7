// Fits the headings of a foreign text into the page's outline: below its sections, and never skipping a level.

interface Node {
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/** A page has its title as level 1 and its sections as level 2. */
const levelAbove = 2;
const lowestLevel = 6;

const headingsIn = (node: Node): Node[] => [
  ...(/^h[1-6]$/.test(node.tagName ?? "") ? [node] : []),
  ...(node.children ?? []).flatMap(headingsIn),
];

/** A rehype plugin. */
export const relevelHeadings = () => (root: Node) => {
  const open: string[] = [];
  for (const heading of headingsIn(root)) {
    const name = heading.tagName ?? "";
    while ((open.at(-1) ?? "") >= name) open.pop();
    open.push(name);
    // That of the footnotes, which every text with some has.
    delete heading.properties?.["id"];
    heading.tagName = `h${Math.min(levelAbove + open.length, lowestLevel)}`;
  }
};
