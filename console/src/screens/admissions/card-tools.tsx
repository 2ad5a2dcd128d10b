import type { Card, Column } from '../../calls/admissions/admissions-api.ts'
import { Icon } from '../../elements/icon.tsx'
import { Menu, type MenuItem } from '../../elements/menu.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, go, Link } from '../../shell/router.tsx'
import { useBoardMessages } from './use-board-messages.ts'
import { lacksDocuments, type Move, useWhyNot } from './use-moves.ts'

/** What both ways to look at the pipeline need. */
export interface PipelineProps {
  readonly columns: readonly Column[]
  readonly mayMove: boolean
  readonly onMove: Move
  /** Asks for further cards of a column. */
  readonly onFurther: (column: Column) => void
}

/** For how long an application has been where it is, and how many of its papers are there. */
export function Documents({ card: { documents } }: { readonly card: Card }) {
  const { messages } = useMessages()
  if (documents.required === 0) return null
  return (
    <span className={documents.complete < documents.required ? 'badge wait' : 'badge good'}>
      {messages.board.documents(documents.complete, documents.required)}
    </span>
  )
}

/** Where an application can be moved to, and why not elsewhere; and that its family is asked for papers. */
export function CardMenu({ card, column, columns, mayMove, onMove }: PipelineProps & { card: Card; column: Column }) {
  const { messages } = useMessages()
  const own = useBoardMessages()
  const { has } = useSession()
  const whyNot = useWhyNot(columns)
  const targets = mayMove ? columns.filter((to) => to !== column && to.isActive) : []
  const items = targets.map((to): MenuItem => {
    const isForbidden = whyNot(column, to) !== null
    const documents = messages.board.documents(card.documents.complete, card.documents.required)
    const label = lacksDocuments(card, to) ? `${to.label} (${documents})` : to.label
    if (isForbidden) return { label: `${to.label} (${own.not(column.label)})`, isOff: true, onChoose: () => {} }
    return { label, onChoose: () => void onMove(card, column, to) }
  })
  if (has('vault:write')) {
    items.push({ label: own.ask, onChoose: () => go(`${addressOf.askFamilies}?application=${card.id}`) })
  }
  if (items.length === 0) return null
  return (
    <Menu label={messages.board.move(card.fullName)} kind="plain" isIcon items={items}>
      <Icon of="right" />
    </Menu>
  )
}

/** How many applications of a column are not shown, exactly, and the next of them. */
export function Further({ column, onFurther }: Pick<PipelineProps, 'onFurther'> & { readonly column: Column }) {
  const { messages } = useMessages()
  const own = useBoardMessages()
  const left = column.count - column.cards.length
  if (left <= 0) return null
  return (
    <p className="row">
      <span className="quiet small">{messages.board.more(left)}</span>
      <button type="button" className="button plain" onClick={() => onFurther(column)}>
        {own.further(Math.min(left, 50))}
        <span className="unseen"> {column.label}</span>
      </button>
    </p>
  )
}

/** Leads to asking all families of a column for papers. */
export function AskAll({ column }: { readonly column: Column }) {
  const own = useBoardMessages()
  const { has } = useSession()
  if (column.count === 0 || !has('vault:write')) return null
  return (
    <Link className="small" to={`${addressOf.askFamilies}?status=${encodeURIComponent(column.status)}`}>
      {own.askAll(column.label)}
    </Link>
  )
}
