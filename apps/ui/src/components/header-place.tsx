// The place in the frame's bar where a screen's title, numbers and action stand; without a frame they stand in the screen.
import { createContext, type ReactNode, use } from "react";
import { createPortal } from "react-dom";

interface HeaderPlaces {
  title: HTMLElement;
  action: HTMLElement;
}

const HeaderContext = createContext<HeaderPlaces | null>(null);

export const HeaderPlaceProvider = HeaderContext;

/** Puts its children into the frame's bar. */
export const InHeader = ({ place, children }: { place: keyof HeaderPlaces; children: ReactNode }) => {
  const places = use(HeaderContext);
  return places ? createPortal(children, places[place]) : children;
};
