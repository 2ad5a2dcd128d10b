import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type Asked,
  type Asking,
  applicantsIn,
  documentTypeOptions,
  loadPeople,
  loadPerson,
  type People,
  type Person,
  previewJob,
  previewRequests,
  type Whom,
} from '../../calls/admissions/requests-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { LongText } from '../../elements/long-text.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, useQueryText } from '../../shell/router.tsx'
import { AskMany } from './ask-many.tsx'
import { AskedByJob } from './asked-by-job.tsx'
import { AskedPeople } from './asked-people.tsx'
import { Interrupted } from './interrupted.tsx'
import { SendRequests } from './send-requests.tsx'
import { type Many, newSending, type Sending, storeUnreached, unreachedAmong } from './sending.ts'
import { useRequestMessages } from './use-request-messages.ts'

const languagesOfMails = ['en', 'es', 'fr', 'pt'] as const

/** Asks one family, or all that a filter finds, for papers: whom, for what, in which language; then who gets what, and only then it is sent. */
export default function AskFamilies() {
  const { messages, language } = useMessages()
  const own = useRequestMessages()
  const { has, user } = useSession()
  const named = new URLSearchParams(useQueryText())
  const isStudent = named.has('student') || named.get('of') === 'student'
  const [asked, setAsked] = useState<Asked>(isStudent || !has('admissions:read') ? 'student' : 'application')
  const [people, setPeople] = useState<readonly Person[]>([])
  const [whom, setWhom] = useState<{ readonly whom: Whom; readonly total: number } | null>(null)
  const [many, setMany] = useState<Many | null>(null)
  const [isMissing, setMissing] = useState(true)
  const [documents, setDocuments] = useState<ReadonlySet<string>>(new Set())
  const [locale, setLocale] = useState('')
  const [message, setMessage] = useState('')
  const [validationError, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [sending, setSending] = useState<Sending | null>(null)
  const types = useQuery({ queryKey: ['paper-types'], queryFn: documentTypeOptions, staleTime: 300_000 })
  const job = named.get('job')
  const chosen = named.toString()
  useEffect(() => {
    document.title = messages.screens.requests
  }, [messages])
  useEffect(() => {
    // Whoever comes from somebody's page, a column or a list asks about these.
    peopleNamed(new URLSearchParams(chosen))
      .then(({ people: found, total, whom: all }) => {
        if (found.length > 0) setPeople(found)
        if (all !== null) setWhom({ whom: all, total })
      })
      .catch((error: unknown) => setError(getErrorText(error, messages)))
  }, [chosen, messages])
  if (!has('vault:write')) return <NoPage />
  const asking: Asking = {
    ...(isMissing ? { fromRequirements: true } : { documentTypeIds: [...documents] }),
    ...(locale !== '' && { locale }),
  }
  const look = async () => {
    const missing =
      people.length === 0 && whom === null ? own.nobody : !isMissing && documents.size === 0 ? own.noDocuments : null
    setError(missing)
    if (missing !== null) return
    setBusy(true)
    try {
      if (whom !== null) {
        const preview = await previewJob(asked, whom.whom, asking)
        return setMany({ key: crypto.randomUUID(), asked, whom: whom.whom, asking, message, preview })
      }
      const ids = people.map(({ id }) => id)
      const preview = await previewRequests(asked, ids, asking)
      setSending(newSending(asked, asking, message, preview))
    } catch (error) {
      setError(getErrorText(error, messages))
    } finally {
      setBusy(false)
    }
  }
  const nameOf = new Intl.DisplayNames(language, { type: 'language' })
  if (sending !== null) return <SendRequests sending={sending} onChange={() => setSending(null)} />
  if (job !== null) return <AskedByJob key={job} id={job} asked={asked} onLinks={setSending} />
  if (many !== null) {
    const begun = async ({ id }: { readonly id: string }) => {
      await storeUnreached(user.name, id, unreachedAmong(many))
      go(`${addressOf.askFamilies}?of=${asked}&job=${id}`)
    }
    return <AskMany many={many} onChange={() => setMany(null)} onBegun={begun} onLinks={setSending} />
  }
  return (
    <>
      <div className="page-head">
        <h1>{own.askTitle}</h1>
      </div>
      <Interrupted onGoOn={setSending} />
      <form
        className="card section stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void look()
        }}
      >
        {validationError !== null && <ErrorSummary key={validationError} title={validationError} />}
        <AskedPeople
          asked={asked}
          people={people}
          many={whom?.total ?? null}
          onMany={setWhom}
          onKind={(kind) => {
            setAsked(kind)
            setPeople([])
            setWhom(null)
            setDocuments(new Set())
          }}
          onPeople={setPeople}
        />
        <fieldset className="stack">
          <legend className="label">{own.what}</legend>
          <label className="check">
            <input type="radio" name="what" checked={isMissing} onChange={() => setMissing(true)} />
            {own.missing}
          </label>
          <label className="check">
            <input type="radio" name="what" checked={!isMissing} onChange={() => setMissing(false)} />
            {own.chosen}
          </label>
          {!isMissing && types.isPending && <Waiting lines={2} />}
          {!isMissing &&
            types.data
              ?.filter(({ appliesTo }) => appliesTo.includes(asked))
              .map(({ id, name }) => (
                <label key={id} className="check">
                  <input
                    type="checkbox"
                    checked={documents.has(id)}
                    onChange={() => {
                      const chosen = new Set(documents)
                      if (!chosen.delete(id)) chosen.add(id)
                      setDocuments(chosen)
                    }}
                  />
                  {name}
                </label>
              ))}
        </fieldset>
        <Field id="locale" label={own.language} about={own.unknownLanguage}>
          <select
            id="locale"
            className="input"
            value={locale}
            aria-describedby="locale-about"
            onChange={({ target }) => setLocale(target.value)}
          >
            <option value="">{own.institution}</option>
            {languagesOfMails.map((tag) => (
              <option key={tag} value={tag}>
                {nameOf.of(tag)}
              </option>
            ))}
          </select>
        </Field>
        <LongText id="message" label={own.message} most={4000} value={message} onChange={setMessage} />
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.look}
        </Button>
      </form>
    </>
  )
}

/** Those whom the address names: one by id, all applications of a status, or those whom a list picked. */
async function peopleNamed(address: URLSearchParams): Promise<People> {
  const [student, application] = [address.get('student'), address.get('application')]
  const [status, of, picked] = [address.get('status'), address.get('of'), address.get('picked')]
  if (student !== null) return { people: [await loadPerson('student', student)], total: 1, whom: null }
  if (application !== null) return { people: [await loadPerson('application', application)], total: 1, whom: null }
  if (status !== null) return applicantsIn(status)
  if (picked === null || (of !== 'student' && of !== 'application')) return { people: [], total: 0, whom: null }
  return loadPeople(of, JSON.parse(picked))
}
