import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { saveView } from '../../calls/console-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { getSearchText, type ListAddress } from '../../shell/list-address.ts'

interface Props {
  readonly type: string
  readonly address: ListAddress
  readonly onClose: () => void
}

/** Keeps what a list shows now under a name, for oneself or for everybody. */
export default function SaveViewDialog({ type, address, onClose }: Props) {
  const { messages } = useMessages()
  const { user } = useSession()
  const queries = useQueryClient()
  const id = useId()
  const [key] = useState(() => crypto.randomUUID())
  const [validationError, setError] = useState<string | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const cancellation = typed.get('everybody') === null ? 'mine' : 'everybody'
    const settings = { search: getSearchText({ ...address, page: 1 }) }
    try {
      await saveView(key, { list: type, title: String(typed.get('title')), audience: cancellation, settings })
      await queries.invalidateQueries({ queryKey: ['saved-views', type] })
      onClose()
    } catch (error) {
      setError(getErrorText(error, messages))
    }
  }
  return (
    <Dialog title={messages.list.saveView} onClose={onClose}>
      <form onSubmit={(event) => void send(event)}>
        {validationError !== null && <ErrorSummary title={validationError} />}
        <Field id={`${id}-title`} label={messages.list.viewTitle}>
          <input id={`${id}-title`} className="input" name="title" required maxLength={140} />
        </Field>
        {user.roles.includes('System Manager') && (
          <label className="check">
            <input type="checkbox" name="everybody" />
            {messages.list.forEverybody}
          </label>
        )}
        <Button type="submit" kind="main">
          {messages.record.save}
        </Button>
      </form>
    </Dialog>
  )
}
