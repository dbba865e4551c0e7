// Paper is white: a page in dark colours is printed in the light ones.
import { useLayoutEffect } from "react";
import { useIsPrinting } from "../../lib/printing.ts";

const attribute = "data-mantine-color-scheme";

export const useLightPaper = (): void => {
  const isPrinting = useIsPrinting();
  useLayoutEffect(() => {
    const root = document.documentElement;
    const scheme = root.getAttribute(attribute);
    if (!isPrinting || scheme === null) return;
    root.setAttribute(attribute, "light");
    return () => root.setAttribute(attribute, scheme);
  }, [isPrinting]);
};
