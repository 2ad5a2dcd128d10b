import { useState } from 'react'
import { commitImport, type ImportFault, type ImportJob, refusedRowsAddress } from '../../calls/imports-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useImportMessages } from './use-import-messages.ts'

interface Props {
  readonly job: ImportJob
  readonly onBegun: (job: ImportJob) => void
}

/** What a check found or an import did: how many records, every fault by row and column, and what people corrected. */
export function ImportReportPart({ job, onBegun }: Props) {
  const own = useImportMessages()
  const { report, status } = job
  if (report === null) return null
  const { created, updated, unchanged, refused, faults, faultCount, conflicts } = report
  const isDone = status !== 'checked'
  const counts = [
    [own.created, created],
    [own.updated, updated],
    [own.unchanged, unchanged],
    [own.refused, refused],
  ] as const
  return (
    <section className="card section stack">
      <h2>{isDone ? own.did : own.willDo}</h2>
      {report.refusal === 'changed_since_check' && <p role="alert">{own.changed}</p>}
      <dl className="facts">
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="numbers">
              <Count count={count} />
            </dd>
          </div>
        ))}
      </dl>
      {faultCount > 0 && (
        <>
          <h3>{own.faultsOf(faultCount)}</h3>
          <Faults faults={faults} label={own.faults} />
          {faultCount > faults.length && report.hasRefusedRows && <p>{own.more(faults.length)}</p>}
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <h3>{own.conflicts}</h3>
          <p className="quiet">{own.conflictsText}</p>
          <Faults faults={conflicts} label={own.conflicts} />
        </>
      )}
      {report.hasRefusedRows && <RefusedRows job={job} />}
      {!isDone && <Commit key={`${created} ${updated}`} job={job} onBegun={onBegun} />}
    </section>
  )
}

function Count({ count }: { readonly count: number }) {
  const { locale } = useMessages()
  return new Intl.NumberFormat(locale).format(count)
}

function Faults({ faults, label }: { readonly faults: readonly ImportFault[]; readonly label: string }) {
  const own = useImportMessages()
  return (
    <ScrolledTable label={label} isReached>
      <thead>
        <tr>
          <th scope="col">{own.line}</th>
          <th scope="col">{own.column}</th>
          <th scope="col">{own.what}</th>
          <th scope="col">{own.remedy}</th>
        </tr>
      </thead>
      <tbody>
        {faults.map(({ line, column, heading, code, detail, remedy }) => (
          <tr key={JSON.stringify([line, column, code, detail])}>
            <td className="numbers">{line}</td>
            <td>{[column, heading].filter((each) => each !== null).join(' · ')}</td>
            <td style={{ whiteSpace: 'normal', maxWidth: '30rem' }}>{detail}</td>
            <td style={{ whiteSpace: 'normal', maxWidth: '30rem' }}>{remedy}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  )
}

function RefusedRows({ job }: { readonly job: ImportJob }) {
  const own = useImportMessages()
  return (
    <div className="row">
      <a className="button" href={refusedRowsAddress(job)} download>
        {own.download}
      </a>
      <span className="quiet">{own.downloadText}</span>
    </div>
  )
}

/** Imports what was checked, once there is something to import. */
function Commit({ job, onBegun }: Props) {
  const { messages } = useMessages()
  const own = useImportMessages()
  const tell = useNotify()
  const [skipFaulty, setSkipFaulty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { report } = job
  if (report === null) return null
  const { created, updated, refused, refusal, hasRefusedRows } = report
  const count = created + updated
  if (count === 0) return refusal === null ? <p>{own.nothing}</p> : null
  const canSkip = refusal === 'invalid_file' && hasRefusedRows && refused > 0
  if (refusal === 'invalid_file' && !canSkip) return null
  const commit = async () => {
    setBusy(true)
    try {
      onBegun(await commitImport(job.id, { created, updated, skipFaulty }))
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    }
  }
  return (
    <>
      {canSkip && (
        <label className="row">
          <input type="checkbox" checked={skipFaulty} onChange={({ target }) => setSkipFaulty(target.checked)} />
          {own.skipFaulty}
        </label>
      )}
      {(!canSkip || skipFaulty) && (
        <div className="row">
          <Button kind="main" isBusy={isBusy} onClick={() => void commit()}>
            {own.commit(count)}
          </Button>
        </div>
      )}
    </>
  )
}
