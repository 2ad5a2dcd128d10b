import type { RecordType } from '@matricula/contract/record-types'
import { useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { listedFields } from '../form/field-model.ts'

interface Props {
  readonly type: RecordType
  readonly shown: readonly string[]
  readonly onClose: () => void
  readonly onChoose: (columns: readonly string[]) => void
}

/** Chooses what a list shows of each record. */
export default function ColumnsDialog({ type, shown, onClose, onChoose }: Props) {
  const { messages, named } = useMessages()
  const [columns, setColumns] = useState(shown)
  const fields = listedFields(type)
  const toggle = (name: string) =>
    setColumns(columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name])
  return (
    <Dialog title={messages.list.columns} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          onChoose(columns)
        }}
      >
        <div>
          {fields.map(([name, field]) => (
            <label key={name} className="check">
              <input type="checkbox" checked={columns.includes(name)} onChange={() => toggle(name)} />
              {named(field.label)}
            </label>
          ))}
        </div>
        <Button type="submit" kind="main">
          {messages.list.apply}
        </Button>
      </form>
    </Dialog>
  )
}
