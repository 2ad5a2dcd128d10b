import type { RecordType } from '@matricula/contract/record-types'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { CallError } from '../../calls/http.ts'
import { type Document, read, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useKeys } from '../../shell/keys.ts'
import { addressOf, go } from '../../shell/router.tsx'
import { merge } from '../page/merge.ts'
import { RecordHead } from '../page/record-head.tsx'
import { useRights } from '../use-record-type.ts'
import type { Conflict } from './conflict-dialog.tsx'
import { Creation } from './creation.ts'
import { forgetForNew } from './duplicate.ts'
import { findField, getChanges, missingIn, type ValueError, type Values } from './field-model.ts'
import { focusField } from './focus-field.ts'
import { FormFields } from './form-fields.tsx'
import { useDraft } from './use-draft.ts'

const RecordAside = lazy(() => import('../page/record-aside.tsx'))
const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'))

interface Props {
  readonly type: RecordType
  /** Null for a new record. */
  readonly stored: Document | null
  readonly blank?: Values
}

/** The form of a record. It saves what was changed and nothing else, and never over what somebody else saved meanwhile. */
export function RecordForm({ type, stored, blank = {} }: Props) {
  const { messages, named } = useMessages()
  const { user, ownerElsewhere } = useSession()
  const mayDo = useRights(type)
  const tell = useNotify()
  const queries = useQueryClient()
  const [base, setBase] = useState<Values>(stored ?? blank)
  const [values, setValues] = useState<Values>(stored ?? blank)
  const typed = useRef(values)
  typed.current = values
  const [isBusy, setBusy] = useState(false)
  const [validationErrors, setErrors] = useState<readonly ValueError[]>([])
  const [rejected, setRefused] = useState<{ text: string; count: number } | null>(null)
  const creation = useRef(new Creation(type))
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const changes = useMemo(() => getChanges(type, base, values), [type, base, values])
  const isChanged = Object.keys(changes).length > 0
  const docstatus = Number(base.docstatus ?? 0)
  const right = stored === null ? 'create' : 'write'
  const owner = ownerElsewhere(type.domain)
  const mayWrite = mayDo(right) && docstatus < 2
  const draft = useDraft({
    user: user.name,
    type,
    name: stored?.name ?? '',
    base,
    values,
    isChanged,
    restore: (brought, unanswered) => {
      setValues(brought)
      if (stored === null && unanswered !== null) creation.current = new Creation(type, unanswered)
    },
  })
  useEffect(() => forgetForNew(), [])
  useEffect(() => {
    // Somebody else's change is shown at once where nothing was typed; what was typed is merged when it is saved.
    if (stored === null || isChanged) return
    // What was just saved is known there a moment before it comes from above.
    const newest = queries.getQueryData<Document>(['record', type.name, stored.name]) ?? stored
    if (newest.modified === base.modified) return
    setBase(newest)
    setValues(newest)
  }, [stored, isChanged, base, queries, type])
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])

  /** Shows what is stored now. What was typed since the form had `mine` in it stays, as a change of that. */
  const show = (saved: Document, mine?: Values) => {
    const queryKey = ['record', type.name, saved.name]
    queries.setQueryData(queryKey, saved)
    // A reading that is under way may have begun before, and bring what was then: it is begun anew.
    if (queries.isFetching({ queryKey }) > 0) void queries.invalidateQueries({ queryKey })
    setBase(saved)
    setValues((now) => (mine === undefined ? saved : merge(type, mine, now, saved).values))
    setErrors([])
    setRefused(null)
    setConflict(null)
    draft.forget()
    void queries.invalidateQueries({ queryKey: ['list', type.name] })
    void queries.invalidateQueries({ queryKey: ['count', type.name] })
    void queries.invalidateQueries({ queryKey: ['timeline', type.name, saved.name] })
  }
  const make = async (mine: Values): Promise<Document> => {
    try {
      return await creation.current.make(mine)
    } catch (error) {
      const { made } = creation.current
      // It is there; what was typed since goes on as a change of it.
      if (made !== null) {
        await draft.moveTo(made)
        go(addressOf.record(type.name, made.name), { replace: true })
      } else await draft.keepUnanswered(creation.current.unanswered)
      throw error
    }
  }
  /** Saves what differs between two states of the record; `had` is what the form had in it when that was asked for. */
  const saveOver = async (from: Values, mine: Values, had = mine, reported = messages.record.saved): Promise<void> => {
    if (stored === null) {
      const made = await make(mine)
      const since = getChanges(type, mine, typed.current)
      if (Object.keys(since).length > 0) await draft.moveTo(made, since)
      show(made, mine)
      tell(messages.record.created)
      go(addressOf.record(type.name, made.name), { replace: true })
      return
    }
    const isKept = type.kind !== 'single'
    const sent = { ...getChanges(type, from, mine), ...(isKept && { modified: from.modified }) }
    const saved = await update(type.name, stored.name, sent)
    show(saved, had)
    const back = { ...saved, ...Object.fromEntries(Object.keys(sent).map((name) => [name, from[name]])) }
    const undo = () =>
      void guarded(async () => {
        const changes = { ...getChanges(type, saved, back), modified: saved.modified }
        show(await update(type.name, stored.name, changes), saved)
        tell(messages.record.undone)
      })
    tell(reported, isKept && docstatus === 0 ? { undo } : {})
  }
  const mergeAndSave = async (): Promise<void> => {
    const theirs = await read(type.name, stored?.name ?? '')
    const merged = merge(type, base, values, theirs)
    if (merged.conflicts.length > 0) {
      setConflict({ base, mine: values, theirs, fields: merged.conflicts })
      return
    }
    // The answer to what was saved was lost, or somebody else changed it to the same.
    if (Object.keys(getChanges(type, theirs, merged.values)).length === 0) {
      show(theirs, values)
      tell(messages.record.saved)
      return
    }
    await saveOver(theirs, merged.values, values, messages.conflict.merged)
  }
  const guarded = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setRefused((before) => ({ text: getErrorText(error, messages), count: (before?.count ?? 0) + 1 }))
    } finally {
      setBusy(false)
    }
  }
  const save = () => {
    const missing = missingIn(type, values)
    setErrors(missing)
    if (missing.length > 0 || isBusy || !mayWrite || (!isChanged && stored !== null)) return
    void guarded(async () => {
      try {
        await saveOver(base, values)
      } catch (error) {
        const isOld = error instanceof CallError && error.kind === 'TimestampMismatchError'
        if (!isOld || stored === null) throw error
        await mergeAndSave()
      }
    })
  }
  useKeys({ 'mod+s': save })
  const getName = ({ field, row, rowField }: ValueError) => {
    const own = named(findField(type, field)?.label ?? field)
    return row === undefined ? own : `${own}, ${row + 1}: ${rowField ?? ''}`
  }
  return (
    <>
      <RecordHead
        type={type}
        stored={stored === null ? null : (base as Document)}
        isChanged={isChanged}
        onShow={show}
      />
      {draft.wasRestored && (
        <p className="told wait section">
          {messages.record.drafted}{' '}
          <Button
            onClick={() => {
              draft.forget()
              setValues(base)
            }}
          >
            {messages.record.dropDraft}
          </Button>
        </p>
      )}
      {validationErrors.length > 0 && (
        <ErrorSummary key={`missing-${validationErrors.length}`} title={messages.record.faults}>
          <ul>
            {validationErrors.map((validationError) => (
              <li key={`${validationError.field} ${validationError.row} ${validationError.rowField}`}>
                <a
                  href={`#field-${validationError.field}`}
                  onClick={(event) => focusField(event, validationError.field)}
                >
                  {getName(validationError)}
                </a>
                : {messages.record.required}
              </li>
            ))}
          </ul>
        </ErrorSummary>
      )}
      {rejected !== null && (
        <ErrorSummary key={rejected.count} title={messages.faults.notSaved}>
          <p>{rejected.text}</p>
        </ErrorSummary>
      )}
      <form
        className="record"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div>
          <FormFields
            type={type}
            values={values}
            isNew={stored === null}
            docstatus={docstatus}
            mayWrite={mayWrite}
            faults={validationErrors}
            onChange={setValues}
          />
          {owner !== null && (
            <p className="quiet">
              {owner === '' ? messages.record.elsewhereUnknown : messages.record.elsewhere(owner)}
            </p>
          )}
          {owner === null && !mayWrite && docstatus === 0 && <p className="quiet">{messages.record.readOnlyHere}</p>}
          {mayWrite && (isChanged || stored === null) && (
            <div className="saving">
              <span className="quiet" role="status">
                {messages.record.changed}
              </span>
              <Button type="submit" kind="main" isBusy={isBusy} keys="Control+S Meta+S">
                {stored === null ? messages.record.create : messages.record.save}
              </Button>
              {isChanged && (
                <Button
                  kind="plain"
                  onClick={() => {
                    setValues(base)
                    setErrors([])
                    setRefused(null)
                    creation.current = new Creation(type)
                    draft.forget()
                  }}
                >
                  {messages.record.discard}
                </Button>
              )}
            </div>
          )}
        </div>
        {stored !== null && (
          <Suspense>
            <RecordAside type={type} record={base as Document} />
          </Suspense>
        )}
      </form>
      {conflict !== null && (
        <Suspense>
          <ConflictDialog
            type={type}
            {...conflict}
            onClose={() => setConflict(null)}
            onDecide={(decided) => {
              const { theirs, mine } = conflict
              setConflict(null)
              void guarded(() => saveOver(theirs, decided, mine))
            }}
          />
        </Suspense>
      )}
    </>
  )
}
