// How series differ besides their colour: fills of lines and dots, the same in charts and in their legends.
import classes from "./insights-page.module.css";

export const chartPatterns = ["solid", "hatched", "dotted", "lined"] as const;
export type ChartPattern = (typeof chartPatterns)[number];

export interface ChartSeries {
  name: string;
  /** A CSS colour. */
  color: string;
  pattern: ChartPattern;
}

const marks = {
  solid: null,
  hatched: <path d="M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6" strokeWidth={1.75} />,
  dotted: <path d="M2 2h.01M6 6h.01" strokeWidth={2.5} strokeLinecap="round" />,
  lined: <path d="M0 2h8M0 6h8" strokeWidth={1.25} />,
};

const tints = { solid: 0.85, hatched: 0.18, dotted: 0.12, lined: 0.08 };

const patternId = ({ name, pattern }: ChartSeries): string =>
  `pattern-${pattern}-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

export const patternFill = (series: ChartSeries): string => `url(#${patternId(series)})`;

/** Stands beside the charts that use these series. */
export const ChartPatterns = ({ series }: { series: readonly ChartSeries[] }) => (
  <svg className={classes.patterns} aria-hidden="true" focusable="false">
    <defs>
      {series.map((one) => (
        <pattern key={one.name} id={patternId(one)} width={8} height={8} patternUnits="userSpaceOnUse">
          <rect width={8} height={8} fill={one.color} fillOpacity={tints[one.pattern]} />
          <g stroke={one.color} fill="none">
            {marks[one.pattern]}
          </g>
        </pattern>
      ))}
    </defs>
  </svg>
);

/** What each series is called, beside a piece of its fill. */
export const ChartLegend = ({ series }: { series: readonly ChartSeries[] }) => (
  <ul className={classes.legend}>
    {series.map((one) => (
      <li key={one.name}>
        <svg width={20} height={12} aria-hidden="true">
          <rect x={0.5} y={0.5} width={19} height={11} rx={2} fill={patternFill(one)} stroke={one.color} />
        </svg>
        {one.name}
      </li>
    ))}
  </ul>
);
