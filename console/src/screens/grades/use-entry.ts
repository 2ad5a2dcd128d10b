import { useCallback, useEffect, useRef, useState } from 'react'
import { type Cell, enterCells, type RefusedCell, type SheetStudent } from '../../calls/academics/grade-sheet-api.ts'
import { CallError } from '../../calls/http.ts'

/** Where a cell stands that was typed: on its way, waiting for the network, or refused with the reason. */
export type CellState =
  | { readonly kind: 'saving' | 'waiting' }
  | { readonly kind: 'refused'; readonly fault: RefusedCell; readonly cell: Cell }

/** The key of a cell. */
export const toKey = (student: string, criterion: string) => `${student}\n${criterion}`

/** How long cells are gathered before they are sent, and how long a lost line is waited for, in milliseconds. */
const gathering = { send: 400, retry: 3000 } as const

/** At most so many cells go in one call. */
const perCall = 500

/**
 * Sends cells as they are typed, one call at a time, and keeps those that the network lost until they are through: the last
 * that was typed of a cell holds.
 */
export function useEntry(
  plan: string,
  onStudents: (students: readonly SheetStudent[]) => void,
  onFailure: (error: unknown) => void,
) {
  const [states, setStates] = useState<ReadonlyMap<string, CellState>>(new Map())
  const pending = useRef(new Map<string, Cell>())
  const isSending = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)

  const set = useCallback((changes: Iterable<readonly [string, CellState | null]>) => {
    setStates((before) => {
      const after = new Map(before)
      for (const [key, state] of changes) {
        if (state === null) after.delete(key)
        else after.set(key, state)
      }
      return after
    })
  }, [])

  const send = useCallback(async () => {
    timer.current = null
    if (isSending.current || pending.current.size === 0) return
    isSending.current = true
    const batch = [...pending.current].slice(0, perCall)
    try {
      const { students, refused } = await enterCells(
        plan,
        batch.map(([, cell]) => cell),
      )
      // What was typed again meanwhile is sent again.
      for (const [key, cell] of batch) if (pending.current.get(key) === cell) pending.current.delete(key)
      const faults = new Map(refused.map((fault) => [toKey(fault.student, fault.criterion), fault]))
      set(
        batch
          .filter(([key]) => !pending.current.has(key))
          .map(([key, cell]) => {
            const fault = faults.get(key)
            return [key, fault === undefined ? null : { kind: 'refused', fault, cell }] as const
          }),
      )
      onStudents(students)
      isSending.current = false
      if (pending.current.size > 0) timer.current = setTimeout(() => void send(), 0)
    } catch (error) {
      isSending.current = false
      const isLost = error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (isLost) {
        set(batch.map(([key]) => [key, { kind: 'waiting' }] as const))
        timer.current = setTimeout(() => void send(), gathering.retry)
        return
      }
      for (const [key, cell] of batch) if (pending.current.get(key) === cell) pending.current.delete(key)
      set(batch.map(([key]) => [key, null] as const))
      onFailure(error)
    }
  }, [plan, onStudents, onFailure, set])

  const enter = useCallback(
    (cells: readonly Cell[]) => {
      for (const cell of cells) pending.current.set(toKey(cell.student, cell.criterion), cell)
      set(cells.map((cell) => [toKey(cell.student, cell.criterion), { kind: 'saving' }] as const))
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = setTimeout(() => void send(), gathering.send)
    },
    [send, set],
  )

  /** Enters a refused cell again, whatever it has by now. */
  const enterAgain = (key: string) => {
    const state = states.get(key)
    if (state?.kind !== 'refused') return
    const { was: _, ...cell } = state.cell
    enter([cell])
  }
  const drop = (key: string) => set([[key, null]])

  // Nobody leaves by mistake while something is not through; and what waits goes as soon as the network is back.
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => {
      if (pending.current.size > 0) event.preventDefault()
    }
    const again = () => void send()
    addEventListener('beforeunload', stay)
    addEventListener('online', again)
    return () => {
      removeEventListener('beforeunload', stay)
      removeEventListener('online', again)
      if (pending.current.size > 0) void send()
    }
  }, [send])

  const count = (kind: CellState['kind']) => [...states.values()].filter((state) => state.kind === kind).length
  return {
    states,
    enter,
    enterAgain,
    drop,
    saving: count('saving'),
    waiting: count('waiting'),
    refused: count('refused'),
  }
}
