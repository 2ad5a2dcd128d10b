import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Card, type Column, move } from '../../calls/admissions/admissions-api.ts'
import { requirementsOf } from '../../calls/admissions/application-api.ts'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go } from '../../shell/router.tsx'
import { getLacking } from './lacking.ts'
import { useBoardMessages } from './use-board-messages.ts'

/** Begins the key of the pipeline with its cards. */
export const boardKey = ['board', 'cards'] as const

/** Moves the card of an application from one column to another. */
export type Move = (card: Card, from: Column, to: Column) => Promise<void>

/** Why the pipeline keeps applications of a status from another one, in words; null where it lets them. Papers are judged apart. */
export function useWhyNot(columns: readonly Column[]): (from: Column, to: Column) => string | null {
  const own = useBoardMessages()
  return (from, to) => {
    if (!to.isActive) return own.closed
    if (from.allowedNext === null || from.allowedNext.includes(to.status)) return null
    const next = columns.filter(({ status, isActive }) => isActive && from.allowedNext?.includes(status))
    return own.notFrom(from.label, next.map(({ label }) => label).join(', ') || own.nowhere)
  }
}

/** Whether an application lacks papers that a status asks for, as far as its card knows. */
export function lacksDocuments({ documents }: Card, to: Column): boolean {
  return to.requiresComplete && documents.complete < documents.required
}

/** Moves cards at once, and back with the reason where that is refused. What forbids a move is told, papers by name. */
export function useMoves(columns: readonly Column[]): Move {
  const { messages } = useMessages()
  const own = useBoardMessages()
  const { has, may } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const whyNot = useWhyNot(columns)
  const moving = useRef(new Set<string>())
  const put = (card: Card, status: string) =>
    queries.setQueriesData<readonly Column[]>(
      { queryKey: boardKey },
      (before) => before && withCard(before, card, status),
    )
  const send = async (card: Card, from: Column, to: Column, isUndone: boolean): Promise<void> => {
    const rejected = whyNot(from, to)
    if (rejected !== null) return tell(`${card.fullName}. ${own.overNot(to.label, rejected)}`, { isBad: true })
    if (to.category === 'enrolled' && card.studentId === null) {
      // Who is enrolled becomes a student; what is missing for that is told on the application's page.
      if (may('Student', 'create') && may('Program Enrollment', 'create'))
        return go(`${addressOf.application(card.id)}?status=${from.status}&enrol=1`)
      return tell(own.whoEnrols(card.fullName), { isBad: true })
    }
    if (moving.current.has(card.id)) return tell(`${card.fullName}: ${messages.faults.busy}`, { isBad: true })
    moving.current.add(card.id)
    try {
      if (lacksDocuments(card, to) && has('vault:read')) {
        // The card may be older than what the family handed in.
        const lacking = getLacking(await requirementsOf(card.id))
        if (lacking !== '') return tell(own.lacks(card.fullName, to.label, lacking), { isBad: true })
      }
      await queries.cancelQueries({ queryKey: boardKey })
      put(card, to.status)
      const moved = { ...card, daysInStatus: 0, entityTag: await move(card.id, card.entityTag, to.status) }
      put(moved, to.status)
      const mayUndo = !isUndone && whyNot(to, from) === null
      tell(
        messages.board.moved(card.fullName, to.label),
        mayUndo ? { undo: () => void send(moved, to, from, true) } : {},
      )
    } catch (error) {
      put(card, from.status)
      tell(`${card.fullName}: ${getErrorText(error, messages)}`, { isBad: true })
    } finally {
      moving.current.delete(card.id)
      void queries.invalidateQueries({ queryKey: ['board'] })
      void queries.invalidateQueries({ queryKey: ['admission_application', card.id] })
    }
  }
  return (card, from, to) => send(card, from, to, false)
}

/** The columns with a card in one of them, at its place there or first, and in no other. */
function withCard(columns: readonly Column[], card: Card, status: string): Column[] {
  return columns.map((column) => {
    const at = column.cards.findIndex(({ id }) => id === card.id)
    if (column.status !== status) {
      if (at < 0) return column
      return { ...column, count: column.count - 1, cards: column.cards.toSpliced(at, 1) }
    }
    if (at >= 0) return { ...column, cards: column.cards.with(at, card) }
    return { ...column, count: column.count + 1, cards: [card, ...column.cards] }
  })
}
