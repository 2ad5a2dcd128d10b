import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type CardPrint,
  cancelCardPrint,
  getPrintAddress,
  readCardPrint,
} from '../../calls/academics/report-card-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useCardMessages } from './use-card-messages.ts'

interface Props {
  readonly print: CardPrint
  readonly onChange: (print: CardPrint) => void
}

/** How often a print is asked for, in milliseconds. */
const interval = 1000

/** How far a print is, until its file can be had. */
export function PrintProgress({ print, onChange }: Props) {
  const own = useCardMessages()
  const { messages } = useMessages()
  const notify = useNotify()
  const isOver = print.status !== 'queued' && print.status !== 'running'
  const { data } = useQuery({
    queryKey: ['card_print', print.id],
    queryFn: () => readCardPrint(print.id),
    refetchInterval: interval,
    enabled: !isOver,
  })
  useEffect(() => {
    if (data !== undefined && (data.status !== print.status || data.done !== print.done)) onChange(data)
  }, [data, print, onChange])
  const cancel = () =>
    cancelCardPrint(print.id).then(onChange, (error: unknown) => notify(getErrorText(error, messages), { isBad: true }))
  const text = {
    queued: own.queued,
    running: own.progress(print.done, print.total),
    done: own.done(print.total),
    cancelled: own.cancelled,
    failed: own.failed(print.fault ?? ''),
  }[print.status]
  return (
    <section className="card section stack" aria-label={own.title}>
      <p role="status">{text}</p>
      {!isOver && <progress value={print.done} max={print.total || 1} aria-label={own.title} />}
      <div className="row">
        {!isOver && <Button onClick={() => void cancel()}>{own.cancel}</Button>}
        {print.status === 'done' && (
          <a className="button main" href={getPrintAddress(print.id)} download="">
            {own.download}
          </a>
        )}
      </div>
    </section>
  )
}
