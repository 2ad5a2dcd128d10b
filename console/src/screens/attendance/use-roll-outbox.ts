import { useCallback, useEffect, useRef, useState } from 'react'
import {
  type CalledStudent,
  callRoll,
  type RefusedStudent,
  type RollPlace,
  type RollStudent,
} from '../../calls/academics/roll-call-api.ts'
import { CallError } from '../../calls/http.ts'

/** A call of the roll that is not through: its key stays the same however often it is sent. */
interface Outgoing {
  readonly key: string
  readonly students: readonly CalledStudent[]
}

/** A student who was not marked, with what was sent. */
export interface RefusedMark extends RefusedStudent {
  readonly sent: CalledStudent
}

/** How long a lost line is waited for, in milliseconds. */
const retry = 3000

/**
 * Sends a roll, one call at a time, and keeps what the network lost until it is through. The service answers a call that it had
 * taken already with what it did then, so that each student is marked once.
 */
export function useRollOutbox(
  { of, date }: Pick<RollPlace, 'of' | 'date'>,
  onStudents: (students: readonly RollStudent[], sent: readonly CalledStudent[]) => void,
  onFailure: (error: unknown) => void,
) {
  const [state, setState] = useState<'idle' | 'saving' | 'waiting'>('idle')
  const [refused, setRefused] = useState<readonly RefusedMark[]>([])
  const outgoing = useRef<Outgoing | null>(null)
  const isSending = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)

  const send = useCallback(async () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    const call = outgoing.current
    if (call === null || isSending.current) return
    isSending.current = true
    try {
      const answer = await callRoll({ of, date }, call.students, call.key)
      outgoing.current = null
      setState('idle')
      const bySent = new Map(call.students.map((each) => [each.student, each]))
      setRefused(
        answer.refused.flatMap((each) => {
          const sent = bySent.get(each.student)
          return sent === undefined ? [] : [{ ...each, sent }]
        }),
      )
      onStudents(answer.students, call.students)
    } catch (error) {
      const isLost =
        error instanceof CallError &&
        (error.status === 0 || error.status === 429 || error.status >= 500 || error.kind === 'idempotency_key_in_use')
      if (isLost) {
        setState('waiting')
        timer.current = setTimeout(() => void send(), retry)
      } else {
        outgoing.current = null
        setState('idle')
        onFailure(error)
      }
    } finally {
      isSending.current = false
    }
  }, [of, date, onStudents, onFailure])

  const enter = useCallback(
    (students: readonly CalledStudent[]) => {
      if (outgoing.current !== null || students.length === 0) return
      outgoing.current = { key: crypto.randomUUID(), students }
      setState('saving')
      setRefused([])
      void send()
    },
    [send],
  )

  /** Takes a refused student off the list. */
  const drop = useCallback((student: string) => {
    setRefused((before) => before.filter((each) => each.student !== student))
  }, [])

  // Nobody leaves by mistake while something is not through; and what waits goes as soon as the network is back.
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => {
      if (outgoing.current !== null) event.preventDefault()
    }
    const again = () => void send()
    addEventListener('beforeunload', stay)
    addEventListener('online', again)
    return () => {
      removeEventListener('beforeunload', stay)
      removeEventListener('online', again)
      if (outgoing.current !== null) void send()
    }
  }, [send])

  return { state, refused, enter, drop }
}
