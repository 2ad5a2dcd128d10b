import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type BulkJob, bulkChanges, bulkErrors, bulkJob, cancelBulk, undoBulk } from '../../calls/bulk-jobs.ts'
import { list } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, Link } from '../../shell/router.tsx'
import { findTitleField } from '../form/field-model.ts'
import { useShownType } from '../use-shown-type.ts'

interface Props {
  readonly id: string
  /** What was refused, so that it can be looked at and done again. */
  readonly onRefused: (names: readonly string[]) => void
  readonly onUndo: (job: BulkJob) => void
  readonly onClose: () => void
}

const isOver = (job: BulkJob | undefined) => job?.status === 'done' || job?.status === 'cancelled'

/** How often it is asked how far a job is, in milliseconds. */
const askedEvery = 500

/** How far a change of many records is, with what was refused and why; it can be ended, and undone once it is over. */
export default function BulkProgress({ id, onRefused, onUndo, onClose }: Props) {
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const [key] = useState(() => crypto.randomUUID())
  const [isBusy, setBusy] = useState(false)
  const { data: job } = useQuery({
    queryKey: ['bulk-job', id],
    queryFn: () => bulkJob(id),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : askedEvery),
    staleTime: 0,
  })
  const over = isOver(job)
  const validationErrors = useQuery({
    queryKey: ['bulk-faults', id],
    queryFn: () => bulkErrors(id),
    enabled: over && (job?.refused ?? 0) > 0,
  })
  const changes = useQuery({
    queryKey: ['bulk-changes', id],
    queryFn: () => bulkChanges(id),
    enabled: over && (job?.done ?? 0) > 0,
  })
  const failed = validationErrors.data ?? []
  const changed = changes.data ?? []
  const type = job?.type
  useEffect(() => {
    if (!over || type === undefined) return
    for (const kind of ['list', 'count', 'record', 'timeline'])
      void queries.invalidateQueries({ queryKey: [kind, type] })
  }, [over, type, queries])
  const guarded = async (ask: () => Promise<void>) => {
    setBusy(true)
    try {
      await ask()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
    }
  }
  const cancel = () =>
    guarded(async () => {
      await cancelBulk(id)
      await queries.invalidateQueries({ queryKey: ['bulk-job', id] })
    })
  if (job === undefined) return null
  const { action, total, done, refused: rejected, status, canUndo } = job
  const reported = over ? messages.bulk.over[action](done) : messages.bulk.running(done + rejected, total)
  return (
    <section className="card section stack" aria-label={messages.bulk.progress}>
      <strong role="status">{status === 'cancelled' ? `${messages.bulk.cancelled} ${reported}` : reported}</strong>
      {!over && <progress value={done + rejected} max={total} aria-label={messages.bulk.progress} />}
      {rejected > 0 && <p>{messages.bulk.refused(rejected)}</p>}
      {failed.length > 0 && (
        <ul className="faults">
          <RecordNames type={job.type} names={failed.map(({ name }) => name)}>
            {(name) => `: ${failed.find((each) => each.name === name)?.detail ?? ''}`}
          </RecordNames>
        </ul>
      )}
      {changed.length > 0 && (
        <details>
          <summary>{messages.bulk.changed(changed.length, done)}</summary>
          <ul className="changed">
            <RecordNames type={job.type} names={changed} areGone={action === 'delete'} />
          </ul>
        </details>
      )}
      <div className="row">
        {!over && (
          <Button isBusy={isBusy} onClick={() => void cancel()}>
            {messages.bulk.cancel}
          </Button>
        )}
        {canUndo && done > 0 && (
          <Button isBusy={isBusy} onClick={() => void guarded(async () => onUndo(await undoBulk(key, id)))}>
            {messages.bulk.undo}
          </Button>
        )}
        {failed.length > 0 && (
          <Button onClick={() => onRefused(failed.map(({ name }) => name))}>{messages.bulk.pickRefused}</Button>
        )}
        {over && (
          <Button kind="plain" onClick={onClose}>
            {messages.frame.dismiss}
          </Button>
        )}
      </div>
    </section>
  )
}

interface NamesProps {
  readonly type: string
  readonly names: readonly string[]
  /** Whether they were deleted, so that there is nothing to open. */
  readonly areGone?: boolean
  /** What stands behind a record. */
  readonly children?: (name: string) => string
}

/** Records by what people call them, each with a link to it. */
function RecordNames({ type, names, areGone = false, children }: NamesProps) {
  const shown = useShownType(type).data
  const title = shown === null || shown === undefined ? undefined : findTitleField(shown)
  const titles = useQuery({
    queryKey: ['list', type, 'titles', names],
    queryFn: async () => {
      const question = { fields: ['name', title ?? 'name'], orFilters: [], order: 'name asc', start: 0 }
      const rows = await list(type, { ...question, filters: [['name', 'in', names]], length: names.length })
      return new Map(rows.map((row) => [row.name, String(row[title ?? 'name'] ?? row.name)]))
    },
    enabled: title !== undefined && !areGone,
  })
  return names.map((name) => (
    <li key={name}>
      {areGone ? name : <Link to={addressOf.record(type, name)}>{titles.data?.get(name) ?? name}</Link>}
      {children?.(name)}
    </li>
  ))
}
