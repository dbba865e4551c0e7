// Shows HTML that was written into Markdown as the text it is: nothing is run, and nothing a worker reads is hidden.

interface Node {
  type: string;
  children?: Node[];
}

/** A rehype plugin, to run before whatever drops raw HTML. */
export const showHtml = () => (root: Node) => {
  const show = (node: Node) => {
    if (node.type === "raw") node.type = "text";
    for (const child of node.children ?? []) show(child);
  };
  show(root);
};
