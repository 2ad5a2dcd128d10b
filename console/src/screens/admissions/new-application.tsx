import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { makeApplication, programs } from '../../calls/admissions/application-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go } from '../../shell/router.tsx'
import { useApplicationMessages } from './use-application-messages.ts'

/** Asks who applies, and for what; goes to the application, where everything else is added. */
export function NewApplication({ onClose }: { readonly onClose: () => void }) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const { has, academicYear } = useSession()
  const tell = useNotify()
  const [typed, setTyped] = useState({ givenNames: '', familyNames: '', email: '', phone: '', programId: '' })
  const [isBusy, setBusy] = useState(false)
  // The same application is made once, however often it is sent; another text is another one.
  const [keys] = useState(() => new Map<string, string>())
  const offered = useQuery({ queryKey: ['programs'], queryFn: programs, enabled: has('programs:read') })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const said = Object.entries(typed).flatMap(([field, text]) => (text.trim() === '' ? [] : [[field, text.trim()]]))
    const fields = { ...Object.fromEntries(said), ...(academicYear !== null && { academicYear }) }
    const intention = JSON.stringify(fields)
    const key = keys.get(intention) ?? crypto.randomUUID()
    keys.set(intention, key)
    try {
      const made = await makeApplication(key, fields)
      onClose()
      go(`${addressOf.application(made.id)}?status=${made.status}`)
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    }
  }
  const set = (field: keyof typeof typed) => (text: string) => setTyped((before) => ({ ...before, [field]: text }))
  const input = (field: Exclude<keyof typeof typed, 'programId'>, label: string, type = 'text') => (
    <Field id={`new-${field}`} label={label} isRequired={type === 'text'}>
      <input
        id={`new-${field}`}
        className="input"
        type={type}
        required={type === 'text'}
        maxLength={field === 'phone' ? 40 : 120}
        value={typed[field]}
        onChange={({ target }) => set(field)(target.value)}
      />
    </Field>
  )
  return (
    <Dialog title={own.newTitle} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void send(event)}>
        {input('givenNames', own.givenNames)}
        {input('familyNames', own.familyNames)}
        {input('email', own.email, 'email')}
        {input('phone', own.phone, 'tel')}
        {offered.data !== undefined && offered.data.length > 0 && (
          <Field id="new-program" label={own.program}>
            <select
              id="new-program"
              className="input"
              value={typed.programId}
              onChange={({ target }) => set('programId')(target.value)}
            >
              <option value="">{own.noProgram}</option>
              {offered.data.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.make}
        </Button>
      </form>
    </Dialog>
  )
}
