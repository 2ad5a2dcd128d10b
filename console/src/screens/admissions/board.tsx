import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type BoardFilters, boardWith, type Column, cardsAtOnce } from '../../calls/admissions/admissions-api.ts'
import { Button } from '../../elements/button.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useUnseenChanges } from '../../session/live-changes.ts'
import { useSession } from '../../session/session.tsx'
import { addressOf, go, useQueryText } from '../../shell/router.tsx'
import { BoardColumns } from './board-columns.tsx'
import { BoardFilter } from './board-filter.tsx'
import { BoardFunnel } from './board-funnel.tsx'
import { BoardTable } from './board-table.tsx'
import type { PipelineProps } from './card-tools.tsx'
import { NewApplication } from './new-application.tsx'
import { useApplicationMessages } from './use-application-messages.ts'
import { useBoardMessages } from './use-board-messages.ts'
import { boardKey, useMoves } from './use-moves.ts'

const views = ['board', 'table', 'funnel'] as const

/** The admission pipeline: who is where, for how long, and with which papers; as columns, as a table, or how far all of them come. */
export default function Board() {
  const { messages } = useMessages()
  const own = useBoardMessages()
  const application = useApplicationMessages()
  const { has, ownerElsewhere } = useSession()
  const queries = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const [wanted, setWanted] = useState<Readonly<Record<string, number>>>({})
  const asked = new URLSearchParams(useQueryText())
  const view = views.find((each) => each === asked.get('view')) ?? 'board'
  const filters = getFilters(asked)
  const found = useQuery({
    queryKey: [...boardKey, wanted, filters],
    queryFn: () => boardWith(wanted, filters),
    placeholderData: keepPreviousData,
  })
  const columns = found.data ?? []
  const onMove = useMoves(columns)
  const unseen = useUnseenChanges('Student Applicant')
  useEffect(() => {
    document.title = messages.screens.board
  }, [messages])
  const owner = ownerElsewhere('enrollment')
  const mayMove = has('admissions:write') && owner === null
  if (found.isPending) return <Waiting />
  // What is there stays: a move that was told of is not hidden by a reading that failed.
  if (found.data === undefined) return <Failed error={found.error} again={() => void found.refetch()} />
  const isFiltered = Object.keys(filters).length > 0
  const shown: PipelineProps = {
    columns,
    mayMove,
    onMove,
    onFurther: ({ status, cards }: Column) =>
      setWanted((before) => ({ ...before, [status]: cards.length + cardsAtOnce })),
  }
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.board}</h1>
        {mayMove && (
          <Button kind="main" onClick={() => setMaking(true)}>
            {application.newTitle}
          </Button>
        )}
        {unseen.count > 0 && (
          <button
            type="button"
            className="chip"
            onClick={() => {
              unseen.show()
              void queries.invalidateQueries({ queryKey: ['board'] })
            }}
          >
            {messages.list.unseen(unseen.count)}
          </button>
        )}
      </div>
      <fieldset className="row views">
        <legend className="unseen">{own.views}</legend>
        {views.map((each) => (
          <Button
            key={each}
            isPressed={each === view}
            onClick={() => go(getAddress({ ...filters, view: each === 'board' ? '' : each }))}
          >
            {own[each]}
          </Button>
        ))}
      </fieldset>
      {view !== 'funnel' && (
        <BoardFilter
          filters={filters}
          onChange={(changed) => go(getAddress({ ...changed, view: asked.get('view') ?? '' }))}
        />
      )}
      {isMaking && <NewApplication onClose={() => setMaking(false)} />}
      {owner !== null && (
        <p className="quiet">{owner === '' ? messages.record.elsewhereUnknown : messages.record.elsewhere(owner)}</p>
      )}
      {columns.every(({ count }) => count === 0) && (
        <Empty
          title={isFiltered ? own.noMatch : messages.board.empty}
          text={isFiltered ? own.noMatchHow : messages.board.emptyHow}
        />
      )}
      {view === 'board' && <BoardColumns {...shown} />}
      {view === 'table' && <BoardTable {...shown} />}
      {view === 'funnel' && <BoardFunnel />}
    </>
  )
}

const filterNames = ['search', 'programId', 'academicYear'] as const

/** The filters that an address has. */
function getFilters(asked: URLSearchParams): BoardFilters {
  return Object.fromEntries(filterNames.flatMap((name) => (asked.get(name) ? [[name, asked.get(name)]] : [])))
}

/** The address of the board with filters and a view; what is empty is left out. */
function getAddress(members: BoardFilters & { readonly view: string }): string {
  const query = new URLSearchParams(Object.entries(members).filter(([, value]) => value !== ''))
  return query.size === 0 ? addressOf.board : `${addressOf.board}?${query}`
}
