// What happy-dom lacks and Mantine asks for, and a clean page after every test.
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

class ResizeObserverStub implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});
// A textarea that grows measures itself again when fonts arrive.
Object.defineProperty(document, "fonts", { value: new EventTarget() });
// Nothing is laid out; but a list stands below the head of its page, not under it.
HTMLOListElement.prototype.getBoundingClientRect = () => new DOMRect(0, 200, 1_000, 0);
window.ResizeObserver = ResizeObserverStub;
window.scrollTo = () => undefined;

// A screen's code may take a while to load on a busy machine.
configure({ asyncUtilTimeout: 4_000 });
afterEach(cleanup);
