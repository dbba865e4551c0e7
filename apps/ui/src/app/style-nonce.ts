// The nonce that the page's policy accepts styles with, for Mantine and for the scroll lock of its dialogs.

declare global {
  var __webpack_nonce__: string | undefined;
}

/** Reads the page's nonce. The scroll lock reads the global, before the first dialog opens. */
export const styleNonce = (): string => {
  const nonce = document.querySelector<HTMLMetaElement>("meta[name='csp-nonce']")?.nonce ?? "";
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
};
