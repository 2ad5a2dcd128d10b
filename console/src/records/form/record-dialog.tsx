import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CallError } from '../../calls/http.ts'
import { type Document, read, update } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { getErrorText } from '../../session/telling.ts'
import { merge } from '../page/merge.ts'
import { useShownType } from '../use-shown-type.ts'
import { getChanges, missingIn, type ShownType, type Values } from './field-model.ts'
import { FormFields } from './form-fields.tsx'

interface Props {
  readonly type: string
  readonly name: string
  readonly title: string
  /** Which fields the dialog has, of those that are not closed to people. */
  readonly isShown: (name: string, type: ShownType) => boolean
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Some fields of a record over the page. What somebody else changed meanwhile is kept; a field that both changed is told. */
export function RecordDialog(props: Props) {
  const loaded = useShownType(props.type)
  const stored = useQuery({
    queryKey: ['record', props.type, props.name],
    queryFn: () => read(props.type, props.name),
  })
  const failed = loaded.error ?? stored.error
  return (
    <Dialog title={props.title} className="wide" onClose={props.onClose}>
      {failed !== null && (
        <Failed error={failed} again={() => void Promise.all([loaded.refetch(), stored.refetch()])} />
      )}
      {failed === null && (loaded.data == null || stored.data === undefined) && <Waiting lines={6} />}
      {loaded.data != null && stored.data !== undefined && (
        <Fields {...props} shown={loaded.data} stored={stored.data} />
      )}
    </Dialog>
  )
}

function Fields({ shown, stored, isShown, onClose, onSaved }: Props & { shown: ShownType; stored: Document }) {
  const { messages, named } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const [type] = useState(() => narrowed(shown, isShown))
  const [base, setBase] = useState<Document>(stored)
  const [values, setValues] = useState<Values>(stored)
  const [isTold, setTold] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [rejected, setRejected] = useState<{ readonly text: string; readonly count: number } | null>(null)
  const missing = missingIn(type, values)
  const reject = (text: string) => setRejected((before) => ({ text, count: (before?.count ?? 0) + 1 }))
  const store = async (from: Values, mine: Values) => {
    const changes = getChanges(type, from, mine)
    if (Object.keys(changes).length === 0) return
    const saved = await update(type.name, stored.name, { ...changes, modified: from.modified })
    queries.setQueryData(['record', type.name, stored.name], saved)
  }
  const mergeAndStore = async () => {
    const theirs = await read(type.name, stored.name)
    const merged = merge(type, base, values, theirs)
    setBase(theirs)
    setValues(merged.values)
    if (merged.conflicts.length === 0) return store(theirs, merged.values)
    const fields = merged.conflicts.map((name) => named(type.fields[name]?.label ?? name)).join(', ')
    throw new CallError(409, 'conflict', `${messages.conflict.title}: ${fields}`)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setTold(true)
    if (isBusy || missing.length > 0) return
    setBusy(true)
    try {
      await store(base, values).catch((error: unknown) => {
        const isOld = error instanceof CallError && error.kind === 'TimestampMismatchError'
        if (!isOld) throw error
        return mergeAndStore()
      })
      tell(messages.record.saved)
      onSaved()
      onClose()
    } catch (error) {
      reject(error instanceof CallError && error.kind === 'conflict' ? error.message : getErrorText(error, messages))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="stack" noValidate onSubmit={(event) => void save(event)}>
      {rejected !== null && (
        <ErrorSummary key={rejected.count} title={messages.faults.notSaved}>
          <p>{rejected.text}</p>
        </ErrorSummary>
      )}
      <FormFields
        type={type}
        values={values}
        isNew={false}
        docstatus={0}
        mayWrite
        faults={isTold ? missing : []}
        onChange={setValues}
      />
      <Button type="submit" kind="main" isBusy={isBusy}>
        {messages.record.save}
      </Button>
    </form>
  )
}

/** A type with some of its fields, without tables and what nobody fills in. */
export function narrowed(type: ShownType, isShown: Props['isShown']): ShownType {
  const fields = Object.entries(type.fields).filter(
    ([name, field]) => field.type !== 'Table' && !field.hidden && !field.readOnly && isShown(name, type),
  )
  return { ...type, fields: Object.fromEntries(fields) }
}
