// Renders Markdown without HTML, scripts or images from elsewhere; headings keep below those of the page.
import { Box, Typography } from "@mantine/core";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { relevelHeadings } from "./heading-levels.ts";
import classes from "./markdown-text.module.css";

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={src} target="_blank" rel="noopener noreferrer nofollow">
      {alt || "image"}
    </a>
  ),
  table: ({ children }) => (
    // A wide table scrolls by itself, by keyboard too (WCAG 2.1.1).
    <Box className={classes.wide} role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </Box>
  ),
};

const MarkdownRenderer = ({ text }: { text: string }) => (
  <Typography className={classes.markdown ?? ""} dir="auto">
    <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize, relevelHeadings]} components={components}>
      {text}
    </Markdown>
  </Typography>
);

export default MarkdownRenderer;
