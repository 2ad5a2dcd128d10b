import type { RecordType } from '@matricula/contract/record-types'
import { useCallback, useEffect, useRef, useState } from 'react'
import { draftKey, draftOf, forgetDraft, keepDraft } from '../session/drafts.ts'
import { changesOf, type Values } from './field-model.ts'

interface Typing {
  readonly user: string
  readonly type: RecordType
  /** Empty for a new record. */
  readonly name: string
  readonly base: Values
  readonly values: Values
  readonly isChanged: boolean
  readonly restore: (values: Values) => void
}

/** Keeps what is typed into a form on this machine until it is saved, and brings it back when the form is opened again. */
export function useDraft({ user, type, name, base, values, isChanged, restore }: Typing) {
  const key = draftKey(user, type.name, name)
  const [wasRestored, setRestored] = useState(false)
  const [isLooked, setLooked] = useState(false)
  const opened = useRef(base)
  useEffect(() => {
    void draftOf(key).then((draft) => {
      setLooked(true)
      if (draft === null) return
      const kept = Object.fromEntries(Object.entries(draft.values).filter(([field]) => field in type.fields))
      const brought = { ...opened.current, ...kept }
      if (Object.keys(changesOf(type, opened.current, brought)).length === 0) return
      restore(brought)
      setRestored(true)
    })
  }, [key, type, restore])
  useEffect(() => {
    if (!isLooked || !isChanged) return
    const soon = setTimeout(() => {
      const secrets = Object.entries(type.fields).filter(([, field]) => field.type === 'Password')
      const kept = { ...changesOf(type, base, values) }
      for (const [secret] of secrets) delete (kept as Record<string, unknown>)[secret]
      void keepDraft(key, { values: kept, modified: String(base.modified ?? '') })
    }, 400)
    return () => clearTimeout(soon)
  }, [key, type, base, values, isChanged, isLooked])
  const forget = useCallback(() => {
    setRestored(false)
    void forgetDraft(key)
  }, [key])
  return { wasRestored, forget }
}
