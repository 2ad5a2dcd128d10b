import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type BulkJob, bulkErrors, bulkJob, cancelBulk, undoBulk } from '../../calls/bulk-jobs.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'

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
      {validationErrors.data !== undefined && validationErrors.data.length > 0 && (
        <ul className="faults">
          {validationErrors.data.map(({ name, detail }) => (
            <li key={name}>
              {name}: {detail}
            </li>
          ))}
        </ul>
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
        {validationErrors.data !== undefined && validationErrors.data.length > 0 && (
          <Button onClick={() => onRefused(validationErrors.data.map(({ name }) => name))}>
            {messages.bulk.pickRefused}
          </Button>
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
