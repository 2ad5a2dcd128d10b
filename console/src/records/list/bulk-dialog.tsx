import type { Field, RecordType } from '@matricula/contract/record-types'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import {
  type BulkAction,
  type BulkJob,
  type BulkWork,
  beginBulk,
  previewBulk,
  type Selection,
} from '../../calls/bulk-jobs.ts'
import { CallError } from '../../calls/http.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field as FieldElement } from '../../elements/field.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { ValueControl } from '../form/value-control.tsx'
import { shownValue } from '../shown-value.ts'
import { useReader } from '../use-record-type.ts'

interface Props {
  readonly type: RecordType
  readonly action: BulkAction
  readonly selection: Selection
  readonly onClose: () => void
  readonly onBegun: (job: BulkJob) => void
}

/** Says with how many records something would be done, exactly, and does it with no others. */
export default function BulkDialog({ type, action, selection, onClose, onBegun }: Props) {
  const { messages, named } = useMessages()
  const reader = useReader(type)
  const id = useId()
  const fields = Object.entries(type.fields).filter(([, field]) => mayBeSet(field))
  const [chosen, setChosen] = useState(fields[0]?.[0] ?? '')
  const [value, setValue] = useState<unknown>('')
  const [total, setTotal] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [validationError, setError] = useState<{ text: string; count: number } | null>(null)
  // What is sent again after an answer that was lost is the same intention.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const confirm = useRef<HTMLDivElement>(null)
  const field = type.fields[chosen]
  const stored = value === '' ? (field?.type === 'Check' ? 0 : null) : value
  const work: BulkWork = {
    ...selection,
    type: type.name,
    action,
    ...(action === 'update' && { changes: { [chosen]: stored } }),
  }
  const change = (set: () => void) => {
    set()
    setTotal(null)
    setKey(crypto.randomUUID())
  }
  const guarded = async (ask: () => Promise<void>) => {
    setBusy(true)
    try {
      await ask()
      setError(null)
    } catch (error) {
      // There are other records by now: they are counted again before anything is done.
      if (error instanceof CallError && error.kind === 'state_conflict') change(() => {})
      setError((before) => ({ text: getErrorText(error, messages), count: (before?.count ?? 0) + 1 }))
    } finally {
      setBusy(false)
    }
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (total === null) void guarded(async () => setTotal(await previewBulk(work)))
    else if (total > 0) void guarded(async () => onBegun(await beginBulk(key, work, total)))
  }
  useEffect(() => {
    if (total !== null) confirm.current?.focus()
  }, [total])
  const becomes = () => `${named(field?.label ?? '')}: ${shownValue(field, stored, reader) || messages.record.empty}`
  return (
    <Dialog title={messages.bulk.actions[action]} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        {validationError !== null && <ErrorSummary key={validationError.count} title={validationError.text} />}
        {action === 'update' && (
          <>
            <p className="quiet">{messages.bulk.text}</p>
            <FieldElement id={`${id}-field`} label={messages.list.field}>
              <select
                id={`${id}-field`}
                className="input"
                value={chosen}
                onChange={({ target }) =>
                  change(() => {
                    setChosen(target.value)
                    setValue('')
                  })
                }
              >
                {fields.map(([name, each]) => (
                  <option key={name} value={name}>
                    {named(each.label)}
                  </option>
                ))}
              </select>
            </FieldElement>
            {field !== undefined && (
              <FieldElement id={`${id}-value`} label={messages.list.value}>
                <ValueControl
                  id={`${id}-value`}
                  field={field}
                  value={value}
                  onChange={(next) => change(() => setValue(next))}
                />
              </FieldElement>
            )}
          </>
        )}
        {total !== null && (
          <div className="told wait" role="status" tabIndex={-1} ref={confirm}>
            <strong>{messages.bulk.would(total)}</strong>
            <p>{action === 'update' ? becomes() : messages.bulk.about[action]}</p>
          </div>
        )}
        <Button type="submit" kind="main" isBusy={isBusy}>
          {total === null ? messages.bulk.check : messages.bulk.confirm[action](total)}
        </Button>
      </form>
    </Dialog>
  )
}

function mayBeSet(field: Field): boolean {
  const isSimple = !['Table', 'Password', 'Attach', 'Attach Image', 'Dynamic Link'].includes(field.type)
  return isSimple && !field.hidden && !field.readOnly && !field.setOnlyOnce && !field.unique && !field.fetchFrom
}
