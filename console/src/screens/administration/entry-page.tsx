import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Empty, Waiting } from '../../elements/states.tsx'
import { Failed } from '../../session/failed.tsx'

interface Props<Entry> {
  readonly title: string
  /** What makes a new entry. */
  readonly action?: ReactNode
  /** What narrows the list. */
  readonly tools?: ReactNode
  readonly found: UseQueryResult<readonly Entry[]>
  readonly empty: { readonly title: string; readonly text: string }
  /** One entry in the list. */
  readonly children: (entry: Entry) => ReactNode
  /** Whether each entry is a card of its own, not an item of one. */
  readonly hasCards?: boolean
}

/** A page with a list of entries: what is on its way, what failed, none, or each of them. */
export function EntryPage<Entry>({ title, action, tools, found, empty, children, hasCards = false }: Props<Entry>) {
  useEffect(() => {
    document.title = title
  }, [title])
  const entries = found.data ?? []
  return (
    <>
      <div className="page-head">
        <h1>{title}</h1>
        {action}
      </div>
      {tools}
      {found.isPending && <Waiting lines={4} />}
      {found.isError && <Failed error={found.error} again={() => void found.refetch()} />}
      {found.data?.length === 0 && <Empty {...empty} />}
      {hasCards && entries.map(children)}
      {!hasCards && entries.length > 0 && (
        <ul className="card entries" aria-label={title}>
          {entries.map(children)}
        </ul>
      )}
    </>
  )
}
