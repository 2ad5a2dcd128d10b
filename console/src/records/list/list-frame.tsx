import { type ReactNode, useEffect } from 'react'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'

interface Props {
  /** What is listed, in the head and as the title of the page. */
  readonly title: string
  /** How many there are on all pages; undefined until that is known. */
  readonly total: number | undefined
  /** Stands beside the head. */
  readonly actions?: ReactNode
  /** What narrows the list, and what was done with it. */
  readonly tools: ReactNode
  readonly found: {
    readonly isPending: boolean
    readonly isSuccess: boolean
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  readonly isEmpty: boolean
  /** What stands in place of an empty list. */
  readonly none: ReactNode
  readonly page: number
  /** How many a page has. */
  readonly length: number
  readonly onPage: (page: number) => void
  /** The rows. */
  readonly children: ReactNode
}

/** The frame of every list: its head with the exact count, what narrows it, its rows or what is there instead, its pages. */
export function ListFrame(props: Props) {
  const { title, total, actions, tools, found, isEmpty, none, page, length, onPage, children } = props
  const { messages } = useMessages()
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          <p className="quiet numbers" role="status">
            {total === undefined ? '\u00a0' : messages.list.count(total)}
          </p>
        </div>
        <div className="row">{actions}</div>
      </div>
      {tools}
      <div className="card">
        {found.isPending && <Waiting lines={8} />}
        {found.error !== null && <Failed error={found.error} again={() => void found.refetch()} />}
        {found.isSuccess && isEmpty && none}
        {!isEmpty && found.error === null && children}
        {total !== undefined && total > 0 && <Pager page={page} total={total} length={length} onPage={onPage} />}
      </div>
    </>
  )
}

interface PagerProps {
  readonly page: number
  readonly total: number
  readonly length: number
  readonly onPage: (page: number) => void
}

function Pager({ page, total, length, onPage }: PagerProps) {
  const { messages } = useMessages()
  const last = Math.max(1, Math.ceil(total / length))
  const shown = messages.list.range(Math.min((page - 1) * length + 1, total), Math.min(page * length, total), total)
  return (
    <nav className="pager" aria-label={shown}>
      <span className="quiet numbers">{shown}</span>
      {last > 1 && (
        <span className="row">
          <button type="button" className="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {messages.list.previous}
          </button>
          <button type="button" className="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
            {messages.list.next}
          </button>
        </span>
      )}
    </nav>
  )
}
