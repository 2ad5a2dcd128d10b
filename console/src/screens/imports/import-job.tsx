import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ImportJob, importJob } from '../../calls/imports-api.ts'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportReportPart } from './import-report.tsx'
import { toneOf } from './status-tone.ts'
import { UndoImport } from './undo-import.tsx'
import { useImportMessages } from './use-import-messages.ts'

/** How often it is asked how far an import is, in milliseconds. */
const askedEvery = 700

const isBusy = (job: ImportJob | undefined) =>
  job !== undefined && ['checking', 'importing', 'undoing'].includes(job.status)

/** A file on its way in: what its columns stand for, what a check found, what was done, and how it is undone. */
export function ImportJobScreen({ name }: { readonly name: string }) {
  const own = useImportMessages()
  const queries = useQueryClient()
  const queryKey = ['import', name]
  const {
    data: job,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: () => importJob(name),
    refetchInterval: ({ state }) => (isBusy(state.data) ? askedEvery : false),
    staleTime: 0,
  })
  const status = job?.status
  const fileName = job?.fileName
  useEffect(() => {
    if (fileName !== undefined) document.title = fileName
  }, [fileName])
  useEffect(() => {
    if (status !== 'imported' && status !== 'undone') return
    for (const kind of ['list', 'count', 'record', 'timeline', 'imports'])
      void queries.invalidateQueries({ queryKey: [kind] })
  }, [status, queries])
  if (error !== null) return <Failed error={error} again={() => void refetch()} />
  if (job === undefined) return <Waiting />
  const show = (changed: ImportJob) => queries.setQueryData(queryKey, changed)
  return (
    <>
      <p>
        <Link to={addressOf.imports}>{own.back}</Link>
      </p>
      <div className="page-head">
        <div>
          <h1>{job.fileName}</h1>
          <p className="row">
            <span className={`badge ${toneOf[job.status]}`} role="status">
              {own.statuses[job.status]}
            </span>
            <span>{own.kinds[job.kind as keyof typeof own.kinds]}</span>
          </p>
        </div>
      </div>
      <div className="stack">
        {job.error !== null && <ErrorSummary title={job.error} />}
        {isBusy(job) && <Progress job={job} />}
        {['uploaded', 'checked', 'failed'].includes(job.status) && job.columns.length > 0 && (
          <ImportColumns job={job} onBegun={show} />
        )}
        {job.report !== null && !isBusy(job) && <ImportReportPart job={job} onBegun={show} />}
        {(job.status === 'imported' || job.status === 'undone') && <UndoImport job={job} onBegun={show} />}
      </div>
    </>
  )
}

function Progress({ job }: { readonly job: ImportJob }) {
  const { messages } = useMessages()
  const own = useImportMessages()
  const { status, rows, report } = job
  const all = report === null ? 0 : report.created + report.updated + report.unchanged + report.refused
  const isOfAll = status === 'importing' && all > 0
  const told =
    status === 'undoing' ? own.records(rows) : isOfAll ? own.rowsOf(Math.min(rows, all), all) : own.rows(rows)
  return (
    <section className="card section stack" aria-label={messages.bulk.progress}>
      <strong>{told}</strong>
      <progress aria-label={messages.bulk.progress} {...(isOfAll && { value: Math.min(rows, all), max: all })} />
      <p className="quiet small">{own.goesOn}</p>
    </section>
  )
}
