// Renders Markdown without HTML, scripts or images from elsewhere; headings keep below those of the page.
import { Box, Typography } from "@mantine/core";
import { type ReactNode, useId } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { relevelHeadings } from "./heading-levels.ts";
import classes from "./markdown-text.module.css";
import { showHtml } from "./shown-html.ts";

/** An address that was refused leaves its words. */
const Away = ({ href, children }: { href: unknown; children: ReactNode }) =>
  typeof href === "string" && href !== "" ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    children
  );

const components: Components = {
  a: ({ href, id, children }) =>
    href?.startsWith("#") ? (
      <a href={href} id={id}>
        {children}
      </a>
    ) : (
      <Away href={href}>{children}</Away>
    ),
  img: ({ src, alt }) => <Away href={src}>{alt || "image"}</Away>,
  // The box of a list of things to do.
  input: ({ checked }) => (
    <input type="checkbox" checked={checked ?? false} disabled aria-label={checked ? "Done" : "Not done"} />
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too (WCAG 2.1.1).
    <pre tabIndex={0}>{children}</pre>
  ),
  table: ({ children }) => (
    // A wide table scrolls by itself, by keyboard too (WCAG 2.1.1).
    <Box className={classes.wide} role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </Box>
  ),
};

/** The only ids are those of footnotes, and they are given a prefix of their own. */
const schema = { ...defaultSchema, clobberPrefix: "" };

const MarkdownRenderer = ({ text }: { text: string }) => {
  // Two texts on one page may both have a first footnote.
  const clobberPrefix = `${useId()}-`;
  return (
    <Typography className={classes.markdown ?? ""} dir="auto">
      <Markdown
        remarkPlugins={[remarkGfm]}
        remarkRehypeOptions={{ clobberPrefix }}
        rehypePlugins={[showHtml, [rehypeSanitize, schema], relevelHeadings]}
        components={components}
      >
        {text}
      </Markdown>
    </Typography>
  );
};

export default MarkdownRenderer;
