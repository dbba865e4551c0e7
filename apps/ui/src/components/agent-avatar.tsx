// The face of an agent type: a small symmetric pattern that its slug always gives.
import { slugColor, slugHash } from "../lib/slug-colors.ts";

const size = 5;
const half = Math.ceil(size / 2);
const cells = Array.from({ length: size * half }, (_, index) => ({ x: index % half, y: Math.floor(index / half) }));

export const AgentAvatar = ({ slug, px = 20 }: { slug: string; px?: number }) => {
  const color = slugColor(slug);
  const bits = slugHash(`${slug}/face`);
  const filled = cells.filter((_, index) => (bits >>> index) & 1);
  return (
    <svg width={px} height={px} viewBox="-1 -1 7 7" aria-hidden="true" style={{ flex: "none" }}>
      <rect x={-1} y={-1} width={7} height={7} rx={1.6} fill={`var(--mantine-color-${color}-light)`} />
      <g fill={`var(--mantine-color-${color}-text)`} shapeRendering="crispEdges">
        {filled.map(({ x, y }) => (
          <path key={`${x}-${y}`} d={`M${x} ${y}h1v1h-1zM${size - 1 - x} ${y}h1v1h-1z`} />
        ))}
      </g>
    </svg>
  );
};
