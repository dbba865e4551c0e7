// How long requests take, for Prometheus: by method, route pattern and class of status, so by nothing a caller chooses.
import type { FastifyInstance } from "fastify";
import { Histogram, type Registry } from "prom-client";

/** From a read by key to a request that waits for a task. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const addRequestMetrics = (app: FastifyInstance, registry: Registry): void => {
  const durations = new Histogram({
    name: "task_service_http_request_duration_seconds",
    help: "Seconds from a request to the end of its answer; waiting for a task and reading the stream included",
    labelNames: ["method", "route", "status"],
    buckets,
    registers: [registry],
  });
  app.addHook("onResponse", async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const status = `${Math.floor(statusCode / 100)}xx`;
    durations.observe({ method, route: routeOptions.url ?? "unknown", status }, elapsedTime / 1000);
  });
};
