import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Card, Column } from '../../calls/admissions/admissions-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { AskAll, CardMenu, Documents, Further, type PipelineProps } from './card-tools.tsx'
import { useBoardMessages } from './use-board-messages.ts'
import { lacksDocuments, useWhyNot } from './use-moves.ts'

interface Held {
  readonly card: Card
  readonly from: Column
  /** The column that it would be dropped on. */
  readonly over: Column
}

/** A column for each status. Cards are moved by pointer, by menu, or picked up and dropped by keys, which is told as it goes. */
export function BoardColumns(props: PipelineProps) {
  const { columns, mayMove, onMove, onFurther } = props
  const own = useBoardMessages()
  const { messages } = useMessages()
  const whyNot = useWhyNot(columns)
  const hint = useId()
  const [dragged, setDragged] = useState<Omit<Held, 'over'> | null>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const [said, setSaid] = useState('')
  const followed = useRef<string | null>(null)
  // A card that went to another column takes the focus along.
  useEffect(() => {
    if (columns.length === 0 || followed.current === null || document.activeElement !== document.body) return
    document.getElementById(`card-${followed.current}`)?.focus()
  }, [columns])
  const giveUp = () => {
    if (held !== null) setSaid(own.gaveUp(held.card.fullName, held.from.label))
    setHeld(null)
  }
  const drop = ({ card, from, over }: Held) => {
    setHeld(null)
    setSaid('')
    if (over.status === from.status) return giveUp()
    followed.current = card.id
    // The card as it is by now, which may have been read again since it was picked up.
    const now = columns.flatMap(({ cards }) => cards).find(({ id }) => id === card.id)
    void onMove(now ?? card, from, over)
  }
  const carry = ({ card, from, over }: Held, step: number) => {
    const at = columns.findIndex(({ status }) => status === over.status)
    const next = columns[Math.max(0, Math.min(columns.length - 1, at + step))]
    if (next === undefined) return
    setHeld({ card, from, over: next })
    document.getElementById(`column-${next.status}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const why = next.status === from.status ? null : whyNot(from, next)
    const documents = lacksDocuments(card, next)
      ? messages.board.documents(card.documents.complete, card.documents.required)
      : null
    const location = own.over(next.label, columns.indexOf(next) + 1, columns.length)
    setSaid(why !== null ? own.overNot(next.label, why) : documents !== null ? `${location} ${documents}` : location)
  }
  const onKeyDown = (card: Card, column: Column) => (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    // Another card than the one that was picked up has nothing to drop.
    if (held !== null && held.card.id !== card.id) giveUp()
    else if (held !== null && (event.key === ' ' || event.key === 'Enter')) drop(held)
    else if (held !== null && event.key === 'Escape') giveUp()
    else if (held !== null && step !== undefined) carry(held, step)
    else if (held === null && event.key === ' ' && mayMove) {
      setHeld({ card, from: column, over: column })
      setSaid(own.held(card.fullName, column.label))
    } else if (held === null && step !== undefined) findNeighbour(event.currentTarget, event.key)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isOpen = (column: Column) => {
    const target = held !== null ? held.over.status === column.status : dragged !== null
    const from = held?.from ?? dragged?.from
    return target && from !== undefined && from.status !== column.status && whyNot(from, column) === null
  }
  return (
    <>
      <p id={hint} hidden>
        {own.hint}
      </p>
      {/* What is scrolled is scrolled by keys too (WCAG 2.2, 2.1.1): cards take the focus, and where there is none the board does. */}
      <div className="board" tabIndex={columns.some(({ cards }) => cards.length > 0) ? undefined : 0}>
        {columns.map((column) => (
          <section
            key={column.status}
            id={`column-${column.status}`}
            className="column card"
            aria-label={column.label}
            data-open={isOpen(column) || undefined}
            onDragOver={(event) => {
              if (dragged !== null && dragged.from.status !== column.status) event.preventDefault()
            }}
            onDrop={() => {
              // A column that takes nothing from there says why.
              if (dragged !== null) void onMove(dragged.card, dragged.from, column)
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
                  data-held={held?.card.id === card.id || undefined}
                  draggable={mayMove}
                  onDragStart={() => setDragged({ card, from: column })}
                  onDragEnd={() => setDragged(null)}
                >
                  <div>
                    <Link
                      id={`card-${card.id}`}
                      to={`${addressOf.application(card.id)}?status=${column.status}`}
                      aria-describedby={mayMove ? hint : undefined}
                      aria-keyshortcuts={mayMove ? 'Space' : undefined}
                      onKeyDown={onKeyDown(card, column)}
                      onBlur={() => {
                        if (held?.card.id === card.id) giveUp()
                        followed.current = null
                      }}
                    >
                      {card.fullName}
                    </Link>
                    <p className="quiet">{card.program}</p>
                    <p className="row">
                      <span className="badge">{messages.board.days(card.daysInStatus)}</span> <Documents card={card} />
                    </p>
                  </div>
                  <CardMenu
                    {...props}
                    card={card}
                    column={column}
                    onMove={(...moved) => {
                      followed.current = card.id
                      return onMove(...moved)
                    }}
                  />
                </li>
              ))}
            </ul>
            <Further column={column} onFurther={onFurther} />
            <AskAll column={column} />
          </section>
        ))}
      </div>
      <div role="status" className={held === null ? 'unseen' : 'picked'}>
        {said}
      </div>
    </>
  )
}

/** The card that an arrow leads to: the next of the column, or that of the same height in the nearest column that has one. */
function findNeighbour(link: HTMLElement, key: string): HTMLElement | null {
  const all = [...document.querySelectorAll<HTMLElement>('.board .column')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('li a[id]'),
  ])
  const at = all.findIndex((cards) => cards.includes(link))
  const position = all[at]?.indexOf(link) ?? -1
  if (key === 'ArrowDown' || key === 'ArrowUp') return all[at]?.[position + (key === 'ArrowDown' ? 1 : -1)] ?? null
  const others = key === 'ArrowRight' ? all.slice(at + 1) : all.slice(0, at).reverse()
  const cards = others.find(({ length }) => length > 0)
  return cards?.[Math.min(position, cards.length - 1)] ?? null
}
