/** What is shown of a row of a chart: its name, and a value for each series. */
export interface ChartRow {
  readonly name: string
  readonly values: readonly number[]
}

interface Props {
  readonly title: string
  /** What the rows are, as the heading of the table. */
  readonly rowsAre: string
  /** The names of the series, at most two. */
  readonly series: readonly string[]
  readonly rows: readonly ChartRow[]
  readonly show: (value: number) => string
  readonly tableLabel: string
}

const barHeight = 10
const gap = 8
const width = 240

/** Bars beside each other, drawn as SVG, with the table of the same numbers (WCAG 2.2, 1.1.1). */
export function BarChart({ title, rowsAre, series, rows, show, tableLabel }: Props) {
  const most = Math.max(1, ...rows.flatMap(({ values }) => values))
  const height = series.length * barHeight
  return (
    <figure className="card section chart">
      <figcaption>
        <h3>{title}</h3>
        {series.length > 1 && (
          <p className="row small">
            {series.map((name, at) => (
              <span key={name} className="row">
                <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
                  <rect className={`bar-${at}`} width="10" height="10" />
                </svg>
                {name}
              </span>
            ))}
          </p>
        )}
      </figcaption>
      <div className="bars" aria-hidden="true">
        {rows.map(({ name, values }) => (
          <div key={name} className="bar-row">
            <span>{name}</span>
            <svg viewBox={`0 0 ${width} ${height + gap}`} preserveAspectRatio="none" aria-hidden="true">
              {values.map((value, at) => (
                <rect
                  key={series[at]}
                  className={`bar-${at}`}
                  y={gap / 2 + at * barHeight}
                  width={Math.max(value > 0 ? 1 : 0, (value / most) * width)}
                  height={barHeight - 1}
                />
              ))}
            </svg>
            <span className="numbers small">{values.map(show).join(' / ')}</span>
          </div>
        ))}
      </div>
      <details>
        <summary>
          {tableLabel}
          <span className="unseen"> {title}</span>
        </summary>
        <table className="differences" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{rowsAre}</th>
              {series.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, at) => (
                  <td key={series[at]} className="numbers">
                    {show(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
