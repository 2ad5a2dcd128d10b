import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { Empty } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { go, useQueryText } from '../../shell/router.tsx'
import { ListFrame } from './list-frame.tsx'

/** How many a page of such a list has. */
export const operationPageLength = 50

/** A page of what an operation lists, and how many there are on all pages. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

interface Props<Item> {
  readonly title: string
  /** The address of the list, without a query. */
  readonly path: string
  readonly queryKey: readonly string[]
  readonly read: (asked: { readonly status: string; readonly of: string; readonly page: number }) => Promise<Page<Item>>
  readonly statusLabel: string
  readonly statuses: Readonly<Record<string, string>>
  readonly any: string
  /** The name in the address of those whose records alone are listed, with the text of the button that lists all. */
  readonly ofName: string
  readonly all: string
  readonly none: { readonly title: string; readonly text: string }
  readonly actions?: ReactNode
  /** Further tools for the records of the page. */
  readonly tools?: (items: readonly Item[]) => ReactNode
  readonly children: (items: readonly Item[]) => ReactNode
}

/** A list of what is no record of the Resource API: the same frame, its filters and page in the address. */
export function OperationList<Item>({ path, queryKey, read, ofName, ...shown }: Props<Item>) {
  const { messages } = useMessages()
  const id = useId()
  const asked = new URLSearchParams(useQueryText())
  const status = asked.get('status') ?? ''
  const of = asked.get(ofName) ?? ''
  const page = Math.max(1, Number(asked.get('page')) || 1)
  const found = useQuery({
    queryKey: [...queryKey, status, of, page],
    queryFn: () => read({ status, of, page }),
    placeholderData: keepPreviousData,
  })
  const show = (change: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries({ page: '', ...change })) {
      if (value === '') asked.delete(name)
      else asked.set(name, value)
    }
    const text = asked.toString()
    go(`${path}${text === '' ? '' : `?${text}`}`)
  }
  const items = found.data?.items ?? []
  const isFiltered = status !== '' || of !== ''
  return (
    <ListFrame
      title={shown.title}
      total={found.data?.total}
      actions={shown.actions}
      tools={
        <search className="tools">
          <Field id={`${id}-status`} label={shown.statusLabel}>
            <select
              id={`${id}-status`}
              className="input"
              value={status}
              onChange={({ target }) => show({ status: target.value })}
            >
              <option value="">{shown.any}</option>
              {Object.entries(shown.statuses).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          {of !== '' && <Button onClick={() => show({ [ofName]: '' })}>{shown.all}</Button>}
          {shown.tools?.(items)}
        </search>
      }
      found={found}
      isEmpty={items.length === 0}
      none={
        isFiltered ? (
          <Empty title={messages.list.noneMatch} text={messages.list.noneMatchText} />
        ) : (
          <Empty {...shown.none} />
        )
      }
      page={page}
      length={operationPageLength}
      onPage={(next) => show({ page: next > 1 ? String(next) : '' })}
    >
      {shown.children(items)}
    </ListFrame>
  )
}
