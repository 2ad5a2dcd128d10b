import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { board, type Card, type Column, move } from '../../calls/admissions-api.ts'
import { Button } from '../../elements/button.tsx'
import { Icon } from '../../elements/icon.tsx'
import { Menu } from '../../elements/menu.tsx'
import { useTell } from '../../elements/notices.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { Failed, tellingOf } from '../../session/failed.tsx'
import { useUnseenChanges } from '../../session/live-changes.ts'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useWords } from '../../words/words.tsx'
import { NewApplication } from './new-application.tsx'
import { useApplicationWords } from './use-application-words.ts'

const queryKey = ['board']

/** The admission pipeline: who is where, for how long, and with which papers. Applications are moved by menu or by pointer. */
export default function Board() {
  const { words } = useWords()
  const { has, ownerElsewhere } = useSession()
  const queries = useQueryClient()
  const tell = useTell()
  const own = useApplicationWords()
  const [isMaking, setMaking] = useState(false)
  const [dragged, setDragged] = useState<{ card: Card; from: Column } | null>(null)
  const columns = useQuery({ queryKey, queryFn: board })
  const unseen = useUnseenChanges('Student Applicant')
  useEffect(() => {
    document.title = words.screens.board
  }, [words])
  const owner = ownerElsewhere('enrollment')
  const mayMove = has('admissions:write') && owner === null
  const send = async (card: Card, to: Column, from: Column, isUndone = false) => {
    try {
      const entityTag = await move(card.id, card.entityTag, to.status)
      const undo = () => void send({ ...card, entityTag }, from, to, true)
      tell(words.board.moved(card.fullName, to.label), isUndone ? {} : { undo })
    } catch (error) {
      tell(`${card.fullName}: ${tellingOf(error, words)}`, { isBad: true })
    } finally {
      void queries.invalidateQueries({ queryKey })
    }
  }
  if (columns.isPending) return <Waiting />
  if (columns.isError) return <Failed error={columns.error} again={() => void columns.refetch()} />
  const isEmpty = columns.data.every(({ count }) => count === 0)
  return (
    <>
      <div className="page-head">
        <h1>{words.screens.board}</h1>
        {mayMove && (
          <Button kind="main" onClick={() => setMaking(true)}>
            {own.newTitle}
          </Button>
        )}
        {unseen.count > 0 && (
          <button
            type="button"
            className="chip"
            onClick={() => {
              unseen.show()
              void queries.invalidateQueries({ queryKey })
            }}
          >
            {words.list.unseen(unseen.count)}
          </button>
        )}
      </div>
      {isMaking && <NewApplication onClose={() => setMaking(false)} />}
      {owner !== null && <p className="quiet">{words.record.elsewhere(owner)}</p>}
      {isEmpty && <Empty title={words.board.empty} text={words.board.emptyHow} />}
      <div className="board">
        {columns.data.map((column) => (
          <section
            key={column.status}
            className="column card"
            aria-label={column.label}
            data-open={dragged !== null && mayGo(dragged.from, column) ? true : undefined}
            onDragOver={(event) => {
              if (dragged !== null && mayGo(dragged.from, column)) event.preventDefault()
            }}
            onDrop={() => {
              if (dragged !== null) void send(dragged.card, column, dragged.from)
              setDragged(null)
            }}
          >
            <h2>
              {column.label} <span className="badge numbers">{column.count}</span>
            </h2>
            <ul>
              {column.cards.map((card) => (
                <li
                  key={card.id}
                  className="card small"
                  draggable={mayMove}
                  onDragStart={() => setDragged({ card, from: column })}
                  onDragEnd={() => setDragged(null)}
                >
                  <div>
                    <Link to={`${addressOf.application(card.id)}?status=${column.status}`}>{card.fullName}</Link>
                    <p className="quiet">{card.program}</p>
                    <p className="row">
                      <span className="badge">{words.board.days(card.daysInStatus)}</span>
                      {card.documents.required > 0 && (
                        <span
                          className={card.documents.complete < card.documents.required ? 'badge wait' : 'badge good'}
                        >
                          {words.board.papers(card.documents.complete, card.documents.required)}
                        </span>
                      )}
                    </p>
                  </div>
                  {mayMove && (
                    <Menu
                      label={words.board.move(card.fullName)}
                      kind="plain"
                      isIcon
                      items={columns.data
                        .filter((to) => to !== column && mayGo(column, to))
                        .map((to) => ({
                          label: lacking(card, to) ? `${to.label} (${papersOf(card)})` : to.label,
                          onChoose: () => void send(card, to, column),
                        }))}
                    >
                      <Icon of="right" />
                    </Menu>
                  )}
                </li>
              ))}
            </ul>
            {column.count > column.cards.length && (
              <p className="quiet small">{words.board.more(column.count - column.cards.length)}</p>
            )}
          </section>
        ))}
      </div>
    </>
  )
}

/** Whether the pipeline lets applications go from one status to another. Papers are judged by the service. */
function mayGo(from: Column, to: Column): boolean {
  return to.isActive && from.status !== to.status && (from.allowedNext === null || from.allowedNext.includes(to.status))
}

const papersOf = ({ documents }: Card) => `${documents.complete}/${documents.required}`

function lacking(card: Card, to: Column): boolean {
  return to.requiresComplete && card.documents.complete < card.documents.required
}
