import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { linksOfPerson, type PersonLink, type Split, splitPerson } from '../../calls/people-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go } from '../../shell/router.tsx'
import { splitMessages } from './split-messages.ts'

interface Props {
  /** The name of the guardian's record. */
  readonly guardian: string
  readonly displayName: string
  readonly onClose: () => void
}

/** Asks which links of a guardian belong to another person, and makes that person. */
export default function SplitPerson({ guardian, displayName, onClose }: Props) {
  const own = splitMessages[useMessages().language]
  const links = useQuery({ queryKey: ['person_links', guardian], queryFn: () => linksOfPerson(guardian), gcTime: 0 })
  return (
    <Dialog title={own.title(displayName)} onClose={onClose}>
      {links.isPending && <Waiting lines={4} />}
      {links.isError && <Failed error={links.error} again={() => void links.refetch()} />}
      {links.data?.length === 0 && <p className="quiet">{own.noLinks}</p>}
      {links.data !== undefined && links.data.length > 0 && (
        <SplitForm guardian={guardian} links={links.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'guardian' | 'onClose'> {
  readonly links: readonly PersonLink[]
}

/** The links, those that were made under another name chosen already, and who the other person is. */
function SplitForm({ guardian, links, onClose }: FormProps) {
  const { messages, language } = useMessages()
  const own = splitMessages[language]
  const queries = useQueryClient()
  const tell = useNotify()
  const [chosen, setChosen] = useState(() => links.filter(({ hasOtherName }) => hasOtherName).map(({ id }) => id))
  const [typed, setTyped] = useState(() => ({
    name: links.find(({ hasOtherName }) => hasOtherName)?.linkedAs ?? '',
    email: '',
    phone: '',
  }))
  const [isBusy, setBusy] = useState(false)
  const [validationError, setError] = useState<{ readonly text: string; readonly count: number } | null>(null)
  // One for each intention: sent again, it makes the person once.
  const [keys] = useState(() => new Map<string, string>())
  const refuse = (text: string) => setError((before) => ({ text, count: (before?.count ?? 0) + 1 }))
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]))
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (chosen.length === 0) return refuse(own.noneChosen)
    const [email, phone] = [typed.email.trim(), typed.phone.trim()]
    const split: Split = {
      name: typed.name.trim(),
      linkIds: chosen,
      ...(email !== '' && { email }),
      ...(phone !== '' && { phone }),
    }
    const said = JSON.stringify(split)
    const key = keys.get(said) ?? crypto.randomUUID()
    keys.set(said, key)
    setBusy(true)
    try {
      const [made] = await splitPerson(key, guardian, split)
      void queries.invalidateQueries()
      tell(made === undefined ? own.nothing : own.done(made.guardian, made.displayName))
      onClose()
      if (made !== undefined) go(addressOf.record('Guardian', made.guardian))
    } catch (error) {
      refuse(getErrorText(error, messages))
      setBusy(false)
    }
  }
  const input = (field: keyof typeof typed, type: 'text' | 'email' | 'tel', maxLength: number) => (
    <Field id={`split-${field}`} label={own[field]} isRequired={field === 'name'}>
      <input
        id={`split-${field}`}
        className="input"
        type={type}
        required={field === 'name'}
        maxLength={maxLength}
        value={typed[field]}
        onChange={({ target }) => setTyped((before) => ({ ...before, [field]: target.value }))}
      />
    </Field>
  )
  return (
    <form className="stack" onSubmit={(event) => void send(event)}>
      {validationError !== null && <ErrorSummary key={validationError.count} title={validationError.text} />}
      <p>{own.text}</p>
      <fieldset>
        <legend className="label">{own.links}</legend>
        {links.map(({ id, entityType, entityLabel, linkedAs }) => (
          <label key={id} className="check">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span>
              {own[entityType]}: {entityLabel}{' '}
              {linkedAs !== null && <span className="quiet small">{own.linkedAs(linkedAs)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {input('name', 'text', 255)}
      {input('email', 'email', 254)}
      {input('phone', 'tel', 40)}
      <div className="row">
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.split}
        </Button>
        <Button kind="plain" onClick={onClose}>
          {messages.record.keep}
        </Button>
      </div>
    </form>
  )
}
