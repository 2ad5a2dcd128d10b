import type { RecordType } from '@matricula/contract/record-types'
import { useState } from 'react'
import type { Document } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { merge } from '../page/merge.ts'
import { shownValue } from '../shown-value.ts'
import { useReader } from '../use-record-type.ts'
import { findField, rowsIn, type Values } from './field-model.ts'

/** What two people made of a record, for one of them to decide. */
export interface Conflict {
  readonly base: Values
  readonly mine: Values
  readonly theirs: Document
  /** The fields that both changed. */
  readonly fields: readonly string[]
}

interface Props extends Conflict {
  readonly type: RecordType
  readonly onClose: () => void
  readonly onDecide: (values: Values) => void
}

/** Asks, field by field, whose value holds where two people changed the same. */
export default function ConflictDialog({ type, base, mine, theirs, fields, onClose, onDecide }: Props) {
  const { messages, named } = useMessages()
  const reader = useReader(type, theirs)
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const shown = (name: string, value: unknown) => {
    const field = findField(type, name)
    if (field?.type === 'Table') return messages.record.rowsOf(rowsIn(value).length)
    return shownValue(field, value, reader) || messages.record.empty
  }
  const decide = () => {
    const { values } = merge(type, base, mine, theirs)
    onDecide({ ...values, ...Object.fromEntries([...taken].map((name) => [name, theirs[name]])) })
  }
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(taken)
    if (isTheirs) next.add(name)
    else next.delete(name)
    setTaken(next)
  }
  return (
    <Dialog title={messages.conflict.title} onClose={onClose}>
      <div className="stack">
        <p>{messages.conflict.text(String(theirs.modified_by ?? ''))}</p>
        {fields.map((name) => (
          <fieldset key={name} className="stack">
            <legend className="label">{named(findField(type, name)?.label ?? name)}</legend>
            <label className="check">
              <input type="radio" name={name} checked={!taken.has(name)} onChange={() => choose(name, false)} />
              {messages.conflict.keepMine}: {shown(name, mine[name])}
            </label>
            <label className="check">
              <input type="radio" name={name} checked={taken.has(name)} onChange={() => choose(name, true)} />
              {messages.conflict.keepTheirs}: {shown(name, theirs[name])}
            </label>
          </fieldset>
        ))}
        <Button kind="main" onClick={decide}>
          {messages.conflict.save}
        </Button>
      </div>
    </Dialog>
  )
}
