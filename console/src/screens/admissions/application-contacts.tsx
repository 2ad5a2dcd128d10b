import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import {
  type Application,
  alike,
  type Contact,
  changeContact,
  findGuardian,
  type LinkContact,
  linkContact,
  possibleDuplicates,
  removeContact,
} from '../../calls/admissions/application-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useUndo } from '../../session/use-undo.ts'
import { callTo, mailTo } from './reach.ts'
import { useApplicationMessages } from './use-application-messages.ts'

const RecordDialog = lazy(async () => ({
  default: (await import('../../records/form/record-dialog.tsx')).RecordDialog,
}))

interface Props {
  readonly record: Application
  readonly entityTag: string
}

/** Who is linked to an application: each to be corrected or removed, and somebody more. */
export function Contacts({ record, entityTag }: Props) {
  const own = useApplicationMessages()
  const { has, ownerElsewhere } = useSession()
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Contact | null>(null)
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
            {contact.email !== null && <a href={mailTo(contact.email)}>{contact.email}</a>}{' '}
            {mayAdd && (
              <Button kind="plain" onClick={() => setEdited(contact)}>
                {own.editContact(contact.displayName)}
              </Button>
            )}
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
      {edited !== null && (
        <EditContact record={record} entityTag={entityTag} contact={edited} onClose={() => setEdited(null)} />
      )}
    </section>
  )
}

/** What somebody is to the applicant, and the person; removing leaves the person to others who have the same contact. */
function EditContact({ record, entityTag, contact, onClose }: Props & { contact: Contact; onClose: () => void }) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const { may } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const [relation, setRelation] = useState(contact.relationshipLabel ?? '')
  const [isPrimary, setPrimary] = useState(contact.isPrimary)
  const [isPerson, setPerson] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const mayCorrect = may('Guardian', 'write') && may('Student Applicant', 'read') && contact.role !== 'applicant'
  const guardian = useQuery({
    queryKey: ['guardian-of', record.id, contact.id],
    queryFn: () => findGuardian(record.applicationCode, contact.id),
    enabled: mayCorrect,
  })
  const renew = () => {
    void queries.invalidateQueries({ queryKey: ['timeline'] })
    return queries.invalidateQueries({ queryKey: ['admission_application', record.id] })
  }
  const send = async (work: () => Promise<void>, done: string, undo?: () => void) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
      tell(done, undo === undefined ? {} : { undo })
      onClose()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void renew()
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const label = relation.trim() === '' ? null : relation.trim()
    void send(
      () =>
        changeContact(record.id, contact.id, entityTag, {
          ...(label !== contact.relationshipLabel && { relationshipLabel: label }),
          ...(isPrimary && !contact.isPrimary && { isPrimary: true as const }),
        }),
      messages.record.saved,
    )
  }
  const { contactId, role, isPrimary: wasPrimary, relationshipLabel } = contact
  const linkAgain = useUndo()(() => {
    const again = { contactId, role, isPrimary: wasPrimary, source: 'manual' as const }
    return linkContact(crypto.randomUUID(), record.id, {
      ...again,
      ...(relationshipLabel !== null && { relationshipLabel }),
    })
  }, renew)
  return (
    <Dialog title={contact.displayName} onClose={onClose}>
      <form className="stack" onSubmit={save}>
        <Field id="contact-relation" label={own.relation}>
          <input
            id="contact-relation"
            className="input"
            maxLength={120}
            value={relation}
            onChange={({ target }) => setRelation(target.value)}
          />
        </Field>
        <label className="row">
          <input
            type="checkbox"
            checked={isPrimary}
            disabled={contact.isPrimary}
            onChange={({ target }) => setPrimary(target.checked)}
          />
          {own.primary}
        </label>
        <div className="row">
          <Button type="submit" kind="main" isBusy={isBusy}>
            {messages.record.save}
          </Button>
          {guardian.data != null && <Button onClick={() => setPerson(true)}>{own.editPerson}</Button>}
          <Button
            kind="danger"
            onClick={() =>
              void send(
                () => removeContact(record.id, contact.id, entityTag),
                own.removed(contact.displayName),
                linkAgain,
              )
            }
          >
            {own.removeContact}
          </Button>
        </div>
      </form>
      {isPerson && guardian.data != null && (
        <Suspense>
          <RecordDialog
            type="Guardian"
            name={guardian.data}
            title={own.editPerson}
            isShown={(field) => personFields.includes(field)}
            onClose={() => setPerson(false)}
            onSaved={() => void renew()}
          />
        </Suspense>
      )}
    </Dialog>
  )
}

const personFields = ['guardian_name', 'email_address', 'mobile_number', 'alternate_number']

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
      tell(getErrorText(error, messages), { isBad: true })
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
