// The look: Mantine's tokens with a calm cool grey, one accent, 14 px text, and contrast that passes AA.
import { Alert, Anchor, type CSSVariablesResolver, createTheme } from "@mantine/core";

const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

export const theme = createTheme({
  primaryColor: "indigo",
  // Indigo 6 under white text is 4.3:1; shade 8 is 5.7:1.
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily,
  headings: { fontFamily, fontWeight: "650", sizes: { h1: { fontSize: "1.25rem", lineHeight: "1.4" } } },
  fontSizes: { xs: "0.75rem", sm: "0.875rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  breakpoints: { xs: "30em", sm: "43.75em", md: "56.25em", lg: "68.75em", xl: "90em" },
  colors: {
    gray: [
      "#f8f9fb",
      "#f1f3f6",
      "#e7eaef",
      "#dadfe6",
      "#c5ccd6",
      "#9ca5b3",
      "#5c6678",
      "#465063",
      "#333c4d",
      "#1c2330",
    ],
    dark: [
      "#d8dce4",
      "#b8bfcb",
      "#98a1b1",
      "#717a8b",
      "#363d4b",
      "#2a303c",
      "#20252f",
      "#171b23",
      "#12151c",
      "#0c0e13",
    ],
  },
  components: {
    // A calm notice: its colour is in border and icon, its words are as readable as all others.
    Alert: Alert.extend({
      defaultProps: { variant: "outline" },
      styles: { title: { color: "var(--mantine-color-bright)" }, message: { color: "var(--mantine-color-text)" } },
    }),
    // In running text colour alone does not tell a link.
    Anchor: Anchor.extend({ defaultProps: { underline: "always" } }),
    // By name alone: the first screen needs neither.
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" } }, styles: { title: { fontWeight: 650 } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Where Mantine's own choices are too faint, and the few surfaces it has no name for. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-text": "var(--mantine-color-gray-9)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-6)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-default-border": "var(--mantine-color-gray-3)",
    "--surface-sunken": "var(--mantine-color-gray-0)",
    "--surface-hover": "var(--mantine-color-gray-1)",
    "--surface-selected": "var(--mantine-color-indigo-0)",
    "--hairline": "var(--mantine-color-gray-2)",
  },
  dark: {
    "--mantine-color-placeholder": "var(--mantine-color-dark-2)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--surface-sunken": "var(--mantine-color-dark-8)",
    "--surface-hover": "var(--mantine-color-dark-6)",
    "--surface-selected": "var(--mantine-color-dark-5)",
    "--hairline": "var(--mantine-color-dark-5)",
  },
});
