import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { saveView } from '../../calls/console-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { Fault } from '../../elements/states.tsx'
import { useWords } from '../../messages/words.tsx'
import { useSession } from '../../session/session.tsx'
import { tellingOf } from '../../session/telling.ts'
import { type ListAddress, searchTextOf } from '../../shell/list-address.ts'

interface Props {
  readonly type: string
  readonly address: ListAddress
  readonly onClose: () => void
}

/** Keeps what a list shows now under a name, for oneself or for everybody. */
export default function SaveViewDialog({ type, address, onClose }: Props) {
  const { words } = useWords()
  const { user } = useSession()
  const queries = useQueryClient()
  const id = useId()
  const [key] = useState(() => crypto.randomUUID())
  const [fault, setFault] = useState<string | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const audience = typed.get('everybody') === null ? 'mine' : 'everybody'
    const settings = { search: searchTextOf({ ...address, page: 1 }) }
    try {
      await saveView(key, { list: type, title: String(typed.get('title')), audience, settings })
      await queries.invalidateQueries({ queryKey: ['saved-views', type] })
      onClose()
    } catch (error) {
      setFault(tellingOf(error, words))
    }
  }
  return (
    <Dialog title={words.list.saveView} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        {fault !== null && <Fault title={fault} />}
        <Field id={`${id}-title`} label={words.list.viewTitle}>
          <input id={`${id}-title`} className="input" name="title" required maxLength={140} />
        </Field>
        {user.roles.includes('System Manager') && (
          <label className="check">
            <input type="checkbox" name="everybody" />
            {words.list.forEverybody}
          </label>
        )}
        <Button type="submit" kind="main">
          {words.record.save}
        </Button>
      </form>
    </Dialog>
  )
}
