import type { RecordType } from '@matricula/contract/record-types'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Document } from '../../calls/resource-api.ts'
import { draftKey, findDraft, forgetDraft, storeDraft } from '../../session/drafts.ts'
import type { Unanswered } from './creation.ts'
import { getChanges, type Values } from './field-model.ts'

interface Typing {
  readonly user: string
  readonly type: RecordType
  /** Empty for a new record. */
  readonly name: string
  readonly base: Values
  readonly values: Values
  readonly isChanged: boolean
  readonly restore: (values: Values, unanswered: Unanswered | null) => void
}

/** Keeps what is typed into a form on this machine until it is saved, and brings it back when the form is opened again. */
export function useDraft({ user, type, name, base, values, isChanged, restore }: Typing) {
  const key = draftKey(user, type.name, name)
  const [wasRestored, setRestored] = useState(false)
  const [isLooked, setLooked] = useState(false)
  const opened = useRef(base)
  const unanswered = useRef<Unanswered | null>(null)
  const restoring = useRef(restore)
  restoring.current = restore
  useEffect(() => {
    void findDraft(key).then((draft) => {
      setLooked(true)
      if (draft === null) return
      const stored = Object.fromEntries(Object.entries(draft.values).filter(([field]) => field in type.fields))
      const brought = { ...opened.current, ...stored }
      if (Object.keys(getChanges(type, opened.current, brought)).length === 0) return
      unanswered.current = draft.unanswered ?? null
      restoring.current(brought, unanswered.current)
      setRestored(true)
    })
  }, [key, type])
  const typed = useCallback(
    () => ({
      values: withoutSecrets(type, getChanges(type, base, values)),
      modified: String(base.modified ?? ''),
      unanswered: unanswered.current,
    }),
    [type, base, values],
  )
  // What is typed while an answer is waited for comes after the state of the form in which it was asked.
  const typedNow = useRef(typed)
  typedNow.current = typed
  useEffect(() => {
    if (!isLooked || !isChanged) return
    const soon = setTimeout(() => void storeDraft(key, typed()), 400)
    return () => clearTimeout(soon)
  }, [key, typed, isChanged, isLooked])
  const forget = useCallback(() => {
    setRestored(false)
    void forgetDraft(key)
  }, [key])
  /** Keeps with what is typed what may have been made of it already, so that it is not made again when the page is opened anew. */
  const keepUnanswered = async (what: Unanswered | null) => {
    unanswered.current = getSecrets(type).length > 0 ? null : what
    await storeDraft(key, typedNow.current())
  }
  /** Makes of what is typed, or of some of it, a draft of the record that is there now. */
  const moveTo = async (made: Document, some: Values = typedNow.current().values) => {
    await storeDraft(draftKey(user, type.name, made.name), {
      values: withoutSecrets(type, some),
      modified: String(made.modified),
      unanswered: null,
    })
    forget()
  }
  return { wasRestored, forget, keepUnanswered, moveTo }
}

function withoutSecrets(type: RecordType, values: Values): Values {
  const secrets = new Set(getSecrets(type))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)))
}

/** The fields of a type that are kept nowhere but at the service. */
function getSecrets(type: RecordType): string[] {
  return Object.entries(type.fields).flatMap(([name, field]) => (field.type === 'Password' ? [name] : []))
}
