import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type BulkJob, bulkFaults, bulkJob, cancelBulk, undoBulk } from '../../calls/bulk-jobs.ts'
import { Button } from '../../elements/button.tsx'
import { useTell } from '../../elements/notices.tsx'
import { useWords } from '../../messages/words.tsx'
import { tellingOf } from '../../session/telling.ts'

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
  const { words } = useWords()
  const queries = useQueryClient()
  const tell = useTell()
  const [key] = useState(() => crypto.randomUUID())
  const [isBusy, setBusy] = useState(false)
  const { data: job } = useQuery({
    queryKey: ['bulk-job', id],
    queryFn: () => bulkJob(id),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : askedEvery),
    staleTime: 0,
  })
  const over = isOver(job)
  const faults = useQuery({
    queryKey: ['bulk-faults', id],
    queryFn: () => bulkFaults(id),
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
      tell(tellingOf(error, words), { isBad: true })
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
  const { action, total, done, refused, status, canUndo } = job
  const told = over ? words.bulk.over[action](done) : words.bulk.running(done + refused, total)
  return (
    <section className="card section stack" aria-label={words.bulk.progress}>
      <strong role="status">{status === 'cancelled' ? `${words.bulk.cancelled} ${told}` : told}</strong>
      {!over && <progress value={done + refused} max={total} aria-label={words.bulk.progress} />}
      {refused > 0 && <p>{words.bulk.refused(refused)}</p>}
      {faults.data !== undefined && faults.data.length > 0 && (
        <ul className="faults">
          {faults.data.map(({ name, detail }) => (
            <li key={name}>
              {name}: {detail}
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        {!over && (
          <Button isBusy={isBusy} onClick={() => void cancel()}>
            {words.bulk.cancel}
          </Button>
        )}
        {canUndo && done > 0 && (
          <Button isBusy={isBusy} onClick={() => void guarded(async () => onUndo(await undoBulk(key, id)))}>
            {words.bulk.undo}
          </Button>
        )}
        {faults.data !== undefined && faults.data.length > 0 && (
          <Button onClick={() => onRefused(faults.data.map(({ name }) => name))}>{words.bulk.pickRefused}</Button>
        )}
        {over && (
          <Button kind="plain" onClick={onClose}>
            {words.frame.dismiss}
          </Button>
        )}
      </div>
    </section>
  )
}
