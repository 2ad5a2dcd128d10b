import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type Application,
  alike,
  type LinkContact,
  linkContact,
  possibleDuplicates,
} from '../../calls/application-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { tellingOf } from '../../session/telling.ts'
import { callTo, mailTo } from './reach.ts'
import { useApplicationMessages } from './use-application-messages.ts'

/** Who is linked to an application, and somebody more. */
export function Contacts({ record }: { readonly record: Application }) {
  const own = useApplicationMessages()
  const { has, ownerElsewhere } = useSession()
  const [isAdding, setAdding] = useState(false)
  const links = record.contacts.map(({ id, email, phone }) => [id, email, phone])
  const duplicates = useQuery({
    queryKey: ['possible_duplicates', record.id, links],
    queryFn: () => possibleDuplicates(record.id),
    enabled: record.contacts.length > 0,
  })
  const mayAdd = has('admissions:write') && ownerElsewhere('enrollment') === null
  return (
    <section className="card section">
      <h2>{own.contacts}</h2>
      {record.contacts.length === 0 && <p className="quiet">{own.noContacts}</p>}
      <ul className="timeline">
        {record.contacts.map((contact) => (
          <li key={contact.id}>
            <strong>{contact.displayName}</strong> <span className="quiet">{contact.relationshipLabel}</span>{' '}
            {contact.isPrimary && <span className="badge good">{own.primary}</span>}{' '}
            {contact.phone !== null && <a href={callTo(contact.phone)}>{contact.phone}</a>}{' '}
            {contact.email !== null && <a href={mailTo(contact.email)}>{contact.email}</a>}
            {duplicates.data
              ?.filter(({ linkId }) => linkId === contact.id)
              .map((other) => (
                <div key={other.contactId} className="quiet small">
                  {own.duplicate(other.displayName)} (
                  {[other.hasSameEmail && own.sameEmail, other.hasSamePhone && own.samePhone]
                    .filter(Boolean)
                    .join(', ')}
                  )
                </div>
              ))}
          </li>
        ))}
      </ul>
      {mayAdd && <Button onClick={() => setAdding(true)}>{own.addContact}</Button>}
      {isAdding && <AddContact record={record} onClose={() => setAdding(false)} />}
    </section>
  )
}

/** Asks for a person; whoever is known by what is typed is offered, so that nobody is there twice. */
function AddContact({ record, onClose }: { readonly record: Application; readonly onClose: () => void }) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const [typed, setTyped] = useState({ displayName: '', email: '', phone: '', relationshipLabel: '' })
  const [isBusy, setBusy] = useState(false)
  // One for each intention: sent again, it links the person once.
  const [keys] = useState(() => new Map<string, string>())
  const looked = [typed.email, typed.phone, typed.displayName].find((text) => text.trim().length >= 3) ?? ''
  const known = useQuery({
    queryKey: ['search', 'guardian', looked],
    queryFn: () => alike('guardian', looked.trim()),
    enabled: looked !== '',
    staleTime: 10_000,
  })
  const send = async (contact: LinkContact) => {
    if (isBusy) return
    setBusy(true)
    const said = JSON.stringify(contact)
    const key = keys.get(said) ?? crypto.randomUUID()
    keys.set(said, key)
    try {
      await linkContact(key, record.id, contact)
      tell(own.added)
      onClose()
    } catch (error) {
      tell(tellingOf(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey: ['admission_application', record.id] })
    }
  }
  const about = {
    role: 'family' as const,
    isPrimary: record.primaryContact === null,
    source: 'manual' as const,
    ...(typed.relationshipLabel.trim() !== '' && { relationshipLabel: typed.relationshipLabel.trim() }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send({
      ...about,
      displayName: typed.displayName.trim(),
      ...(typed.email.trim() !== '' && { email: typed.email.trim() }),
      ...(typed.phone.trim() !== '' && { phone: typed.phone.trim() }),
    })
  }
  const input = (field: keyof typeof typed, label: string, type: 'text' | 'email' | 'tel', isRequired = false) => (
    <Field id={`contact-${field}`} label={label} isRequired={isRequired}>
      <input
        id={`contact-${field}`}
        className="input"
        type={type}
        required={isRequired}
        maxLength={field === 'phone' ? 40 : 120}
        value={typed[field]}
        onChange={({ target }) => setTyped((before) => ({ ...before, [field]: target.value }))}
      />
    </Field>
  )
  const hits = (known.data ?? []).filter(({ id }) => record.contacts.every(({ contactId }) => contactId !== id))
  return (
    <Dialog title={own.addContact} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {input('displayName', own.name, 'text', true)}
        {input('email', own.email, 'email')}
        {input('phone', own.phone, 'tel')}
        {input('relationshipLabel', own.relation, 'text')}
        <div role="status">
          {hits.length > 0 && (
            <div className="told wait">
              <strong>{own.known}</strong>
              <ul className="stack">
                {hits.map((hit) => (
                  <li key={hit.id} className="row">
                    <Button onClick={() => void send({ ...about, contactId: hit.id })}>{own.take(hit.title)}</Button>
                    <span className="quiet small">{hit.detail}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.addContact}
        </Button>
      </form>
    </Dialog>
  )
}
