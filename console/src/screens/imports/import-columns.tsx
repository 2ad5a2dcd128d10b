import { useState } from 'react'
import { checkImport, type ImportColumn, type ImportJob, type ImportMapping } from '../../calls/imports-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { languages, useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useImportMessages } from './use-import-messages.ts'

interface Props {
  readonly job: ImportJob
  readonly onBegun: (job: ImportJob) => void
}

/** The report of refused rows has it; an import passes over it by itself. */
const reportHeading = 'faults'

/** What each column stands for, and how dates and decimals are written; then the file is checked. */
export function ImportColumns({ job, onBegun }: Props) {
  const { messages, language } = useMessages()
  const own = useImportMessages()
  const tell = useNotify()
  const [chosen, setChosen] = useState(
    () => new Map(job.columns.map((column) => [column.heading, fieldOf(job, column)])),
  )
  const [dates, setDates] = useState(job.mapping.dates ?? 'iso')
  const [decimal, setDecimal] = useState(job.mapping.decimal ?? 'point')
  const [isBusy, setBusy] = useState(false)
  const titleAt = Object.keys(languages).indexOf(language)
  const columns = job.columns
    .map((column, index) => ({ ...column, id: `column-${index + 1}` }))
    .filter(({ heading }) => heading !== reportHeading)
  const skipped = columns.filter(({ heading }) => chosen.get(heading) === '').length
  const check = async () => {
    setBusy(true)
    try {
      onBegun(await checkImport(job.id, toMapping(job, chosen, dates, decimal)))
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    }
  }
  return (
    <section className="card section stack">
      <h2>{own.columns}</h2>
      <p className="quiet">{own.columnsText}</p>
      <ul className="stack">
        {columns.map((column) => (
          <li key={column.id} className="row">
            <Field id={column.id} label={column.heading} about={column.samples.join(' · ')}>
              <select
                id={column.id}
                className="input"
                aria-describedby={`${column.id}-about`}
                value={chosen.get(column.heading)}
                onChange={({ target }) => setChosen(new Map([...chosen, [column.heading, target.value]]))}
              >
                <option value="">{own.skip}</option>
                {job.fields.map(({ name, titles }) => (
                  <option key={name} value={name}>
                    {titles[titleAt] ?? titles[0] ?? name}
                  </option>
                ))}
                {isOther(job, chosen.get(column.heading)) && (
                  <option value={chosen.get(column.heading)}>{chosen.get(column.heading)}</option>
                )}
              </select>
            </Field>
            {column.isGuess && chosen.get(column.heading) === column.field && (
              <span className="badge wait">{own.suggested}</span>
            )}
          </li>
        ))}
      </ul>
      {skipped > 0 && <p className="quiet">{own.skipped(skipped)}</p>}
      <div className="tools">
        <Field id="import-dates" label={own.dates}>
          <select
            id="import-dates"
            className="input"
            value={dates}
            onChange={({ target }) => setDates(target.value as typeof dates)}
          >
            {(['iso', 'dmy', 'mdy'] as const).map((order) => (
              <option key={order} value={order}>
                {own[order]}
              </option>
            ))}
          </select>
        </Field>
        <Field id="import-decimal" label={own.decimal}>
          <select
            id="import-decimal"
            className="input"
            value={decimal}
            onChange={({ target }) => setDecimal(target.value as typeof decimal)}
          >
            <option value="point">{own.point}</option>
            <option value="comma">{own.comma}</option>
          </select>
        </Field>
      </div>
      <div className="row">
        <Button
          {...(job.status === 'uploaded' && { kind: 'main' as const })}
          isBusy={isBusy}
          onClick={() => void check()}
        >
          {job.status === 'uploaded' ? own.check : own.again}
        </Button>
      </div>
    </section>
  )
}

/** The field that a column is for now: as it was chosen before, as the service knows or guesses it; empty for none. */
function fieldOf({ mapping, status }: ImportJob, { heading, field, isGuess }: ImportColumn): string {
  const mapped = mapping.columns?.[heading]
  if (mapped !== undefined) return mapped
  if (mapping.ignore?.includes(heading) || (isGuess && status !== 'uploaded')) return ''
  return field ?? ''
}

function isOther({ fields }: ImportJob, chosen = ''): boolean {
  return chosen !== '' && !fields.some(({ name }) => name === chosen)
}

/** The map of what was chosen, beside what the service knows by itself. */
function toMapping(
  { columns, mapping }: ImportJob,
  chosen: ReadonlyMap<string, string>,
  dates: NonNullable<ImportMapping['dates']>,
  decimal: NonNullable<ImportMapping['decimal']>,
): ImportMapping {
  const named = columns.flatMap(({ heading, field, isGuess }) => {
    const wanted = chosen.get(heading) ?? ''
    return wanted === '' || (wanted === field && !isGuess) ? [] : [[heading, wanted] as const]
  })
  const ignore = columns.flatMap(({ heading }) =>
    chosen.get(heading) === '' && heading !== reportHeading ? [heading] : [],
  )
  return {
    ...(mapping.overwrite !== undefined && { overwrite: mapping.overwrite }),
    ...(named.length > 0 && { columns: Object.fromEntries(named) }),
    ...(ignore.length > 0 && { ignore }),
    ...(dates !== 'iso' && { dates }),
    ...(decimal !== 'point' && { decimal }),
  }
}
