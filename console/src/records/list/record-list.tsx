import type { RecordType } from '@matricula/contract/record-types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { count, list } from '../../calls/resource-api.ts'
import type { Preferences } from '../../calls/session-calls.ts'
import { Icon } from '../../elements/icon.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { purposesIn } from '../../messages/purposes.ts'
import { useUnseenChanges } from '../../session/live-changes.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useKeys } from '../../shell/keys.ts'
import { type ListAddress, readListAddress } from '../../shell/list-address.ts'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import type { Prefetch } from '../../shell/screen.ts'
import type { ShownType } from '../form/field-model.ts'
import { findReadable, OfType } from '../of-type.tsx'
import { useRights } from '../use-record-type.ts'
import { declaredTypeQuery, seenBy } from '../use-shown-type.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ListFrame } from './list-frame.tsx'
import { getColumns, getQuestion, pageLength } from './list-query.ts'
import { ListTable } from './list-table.tsx'
import { ListTools } from './list-tools.tsx'

const BulkProgress = lazy(() => import('./bulk-progress.tsx'))
const RecordPage = lazy(() => import('../page/record-page.tsx'))

/** What is asked for to show a list, and the columns that it has. */
function getQueries(type: ShownType, address: ListAddress, { settings }: Preferences) {
  const columns = getColumns(type, address.columns, settings.columns?.[type.name] ?? [])
  const question = getQuestion(type, address, columns)
  const { filters, orFilters } = question
  return {
    columns,
    question,
    rows: {
      queryKey: ['list', type.name, question],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => list(type.name, question, signal),
    },
    total: {
      queryKey: ['count', type.name, filters, orFilters],
      queryFn: () => count(type.name, { filters, orFilters }),
    },
  }
}

/**
 * Asks for the rows and the total of a list.
 *
 * @public by `beginToLoad`
 */
export const prefetch: Prefetch = async (queries, session, { type: slug }) => {
  const { preferences, customFieldTypes } = session
  const name = findReadable(session, slug)
  if (name === null) return
  const declared = await queries.fetchQuery(declaredTypeQuery(name, customFieldTypes))
  if (declared === null || declared.kind === 'single') return
  const { rows, total } = getQueries(seenBy(session, declared), readListAddress(location.search), preferences)
  await Promise.all([queries.prefetchQuery(rows), queries.prefetchQuery(total)])
}

/** The records of any type: found, filtered, sorted, counted, changed together. What it shows stands in its address. */
export default function RecordList({ type: slug }: { readonly type: string }) {
  return (
    <OfType slug={slug}>
      {(type) =>
        type.kind === 'single' ? (
          <Suspense fallback={<Waiting />}>
            <RecordPage key={slug} type={slug} name="" />
          </Suspense>
        ) : (
          <ListOf key={slug} type={type} />
        )
      }
    </OfType>
  )
}

function ListOf({ type }: { readonly type: ShownType }) {
  const address = readListAddress(useQueryText())
  const { messages, namedMany } = useMessages()
  const mayDo = useRights(type)
  const { preferences, prefer } = usePreferences()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [allPickedOf, setAllPickedOf] = useState<string | null>(null)
  const [jobId, setJobId] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  const unseen = useUnseenChanges(type.name)
  const asking = getQueries(type, address, preferences)
  const { columns, question } = asking
  const { filters, orFilters } = question
  const rows = useQuery({ ...asking.rows, placeholderData: keepPreviousData })
  // All that match one question are never all that match another, wherever that came from.
  const asked = JSON.stringify([filters, orFilters])
  const isAllPicked = allPickedOf === asked
  const total = useQuery({ ...asking.total, placeholderData: keepPreviousData })
  const show = (change: Partial<ListAddress>) => {
    setActive(-1)
    go(addressOf.list(type.name, { ...address, page: 1, ...change }), { replace: 'q' in change })
  }
  const open = (name: string) => go(addressOf.record(type.name, name))
  const shown = rows.data ?? []
  const ticked = isAllPicked ? new Set(shown.map(({ name }) => name)) : picked
  const pick = (names: Iterable<string>) => {
    setPicked(new Set(names))
    setAllPickedOf(null)
  }
  const toggle = (name: string) => {
    const next = new Set(ticked)
    if (!next.delete(name)) next.add(name)
    pick(next)
  }
  const create = () => go(addressOf.newRecord(type.name))
  useKeys({
    '/': () => document.querySelector<HTMLInputElement>('#list-search')?.focus(),
    j: () => setActive(Math.min(active + 1, shown.length - 1)),
    k: () => setActive(Math.max(active - 1, 0)),
    x: () => shown[active] !== undefined && toggle(shown[active].name),
    o: () => shown[active] !== undefined && open(shown[active].name),
    c: () => mayDo('create') && create(),
  })
  useEffect(() => {
    if (active >= 0) document.querySelectorAll<HTMLElement>('[data-row] a')[active]?.focus()
  }, [active])
  const isFiltered = address.q !== '' || address.filters.length > 0
  return (
    <>
      <ListFrame
        title={namedMany(type.name)}
        total={total.data}
        actions={
          <>
            {unseen.count > 0 && (
              <button type="button" className="chip" onClick={unseen.show}>
                {messages.list.unseen(unseen.count)}
              </button>
            )}
            {mayDo('create') && (
              <Link className="button main" to={addressOf.newRecord(type.name)}>
                <Icon of="plus" />
                {messages.list.new}
              </Link>
            )}
          </>
        }
        tools={
          <>
            <ListTools
              type={type}
              address={address}
              question={question}
              columns={columns}
              onChange={show}
              onColumns={(chosen) => {
                prefer({ settings: { columns: { [type.name]: chosen.length > 0 ? chosen : null } } })
                show({ columns: chosen, page: address.page })
              }}
            />
            {jobId !== null && (
              <Suspense>
                <BulkProgress
                  key={jobId}
                  id={jobId}
                  onRefused={pick}
                  onUndo={({ id }) => setJobId(id)}
                  onClose={() => setJobId(null)}
                />
              </Suspense>
            )}
          </>
        }
        found={rows}
        isEmpty={shown.length === 0}
        none={<NoRows type={type} isFiltered={isFiltered} />}
        page={address.page}
        length={pageLength}
        onPage={(page) => show({ page })}
      >
        <ListTable
          type={type}
          rows={shown}
          columns={columns}
          sort={address.sort}
          onSort={(sort) => show({ sort })}
          picked={ticked}
          onPick={toggle}
          onPickPage={(isPicked) => pick(isPicked ? shown.map(({ name }) => name) : [])}
        />
      </ListFrame>
      {ticked.size > 0 && (
        <BulkBar
          type={type}
          selection={isAllPicked ? { filters, orFilters } : { names: [...picked] }}
          count={isAllPicked ? (total.data ?? ticked.size) : picked.size}
          total={total.data ?? ticked.size}
          onPickAll={() => setAllPickedOf(asked)}
          onUnpick={() => pick([])}
          onBegun={({ id }) => {
            pick([])
            setJobId(id)
          }}
        />
      )}
    </>
  )
}

function NoRows({ type, isFiltered }: { readonly type: RecordType; readonly isFiltered: boolean }) {
  const { messages, language, namedMany } = useMessages()
  const mayDo = useRights(type)
  const purposes = useQuery({
    queryKey: ['purposes', language],
    queryFn: () => purposesIn(language),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isFiltered,
  })
  if (isFiltered) return <Empty title={messages.list.noneMatch} text={messages.list.noneMatchText} />
  const how = mayDo('create') ? messages.list.emptyHow : messages.list.emptyReadOnly
  const purpose = purposes.data === undefined ? '' : (purposes.data[type.name] ?? type.summary)
  return (
    <Empty title={messages.list.emptyTitle(namedMany(type.name))} text={purpose}>
      <p className="quiet">{how}</p>
    </Empty>
  )
}
