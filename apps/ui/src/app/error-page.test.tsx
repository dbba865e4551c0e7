// What is said in place of a screen that broke.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderPart } from "../testing/render-part.tsx";
import { ErrorPage } from "./error-page.tsx";

test("a fault of the page is not put down to the service", () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'slug')");
  renderPart(createFakeClient(), <ErrorPage error={error} reset={() => undefined} />);
  expect(screen.getByText(/fault in the page/)).toBeDefined();
  expect(screen.queryByText(/could not be reached/)).toBeNull();
});
