import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notesOf } from '../../calls/admissions/application-api.ts'
import { Button } from '../../elements/button.tsx'
import { LongText } from '../../elements/long-text.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useApplicationMessages } from './use-application-messages.ts'
import { useSaveNote } from './use-save-note.ts'

/** What a note says. Its markup is left out, and nothing of it is shown as markup. */
function getText(content: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' }
  return content.replace(/<[^<>]*>/g, ' ').replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name) => characters[name] ?? '')
}

/** What the staff said about an application. The family does not see it. */
export function Notes({ applicationCode }: { readonly applicationCode: string }) {
  const own = useApplicationMessages()
  const { messages, locale } = useMessages()
  const { may } = useSession()
  const tell = useNotify()
  const save = useSaveNote(applicationCode)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const mayRead = may('Comment', 'read') && may('Student Applicant', 'read')
  const notes = useQuery({
    queryKey: ['list', 'Comment', applicationCode],
    queryFn: () => notesOf(applicationCode),
    enabled: mayRead,
  })
  if (!mayRead) return null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await save(text.trim())
      setText('')
      tell(own.noteSaved)
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
    }
  }
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return (
    <section className="card">
      <h2>{own.notes}</h2>
      {notes.data?.length === 0 && <p className="quiet">{own.noNotes}</p>}
      <ul className="timeline small">
        {notes.data?.map((note) => (
          <li key={note.name}>
            {getText(String(note.content ?? ''))}{' '}
            <span className="quiet">
              {when.format(new Date(String(note.creation).replace(' ', 'T')))} {messages.record.by(String(note.owner))}
            </span>
          </li>
        ))}
      </ul>
      {may('Comment', 'create') && (
        <form className="stack" onSubmit={(event) => void submit(event)}>
          <LongText id="note" label={own.note} most={2000} isRequired value={text} onChange={setText} />
          <Button type="submit" isBusy={isBusy}>
            {own.saveNote}
          </Button>
        </form>
      )}
    </section>
  )
}
