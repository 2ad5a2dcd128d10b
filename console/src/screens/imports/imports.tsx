import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type ImportJob, importJobs, uploadImport } from '../../calls/imports-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { Empty, ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go, Link } from '../../shell/router.tsx'
import { ImportJobScreen } from './import-job.tsx'
import { importableKinds } from './importable-kinds.ts'
import { toneOf } from './status-tone.ts'
import { useImportMessages } from './use-import-messages.ts'

const maxBytes = 25 * 1024 * 1024

/** Imports of files, or the one that the address names. */
export default function Imports({ name }: { readonly name: string }) {
  return name === '' ? <ImportList /> : <ImportJobScreen name={name} />
}

/** Uploads a file to import, and lists what was imported lately. */
function ImportList() {
  const { messages } = useMessages()
  const own = useImportMessages()
  const found = useQuery({ queryKey: ['imports'], queryFn: importJobs, staleTime: 0 })
  useEffect(() => {
    document.title = messages.screens.imports
  }, [messages])
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.imports}</h1>
      </div>
      <UploadForm />
      <h2>{own.latest}</h2>
      {found.isPending && <Waiting lines={3} />}
      {found.isError && <Failed error={found.error} again={() => void found.refetch()} />}
      {found.data?.length === 0 && <Empty title={own.none} text={own.noneHow} />}
      <ul className="stack">
        {(found.data ?? []).map((job) => (
          <ImportCard key={job.id} job={job} />
        ))}
      </ul>
    </>
  )
}

function UploadForm() {
  const { messages } = useMessages()
  const own = useImportMessages()
  const kinds = importableKinds(useSession())
  const [kind, setKind] = useState(kinds[0] ?? '')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const file = input.current?.files?.[0]
    if (file === undefined || isBusy) return
    if (file.size > maxBytes) return setFailure(own.tooLarge)
    setBusy(true)
    setFailure(null)
    try {
      const { id } = await uploadImport(kind, file)
      go(`${addressOf.imports}/${id}`)
    } catch (error) {
      setFailure(getErrorText(error, messages))
      setBusy(false)
    }
  }
  return (
    <form className="card section stack" onSubmit={(event) => void send(event)}>
      <h2>{own.choose}</h2>
      <p className="quiet">{own.chooseText}</p>
      {failure !== null && <ErrorSummary key={failure} title={failure} />}
      <div className="tools">
        <Field id="import-kind" label={own.kind}>
          <select id="import-kind" className="input" value={kind} onChange={({ target }) => setKind(target.value)}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {own.kinds[each as keyof typeof own.kinds]}
              </option>
            ))}
          </select>
        </Field>
        <Field id="import-file" label={own.file} isRequired>
          <input
            id="import-file"
            ref={input}
            className="input"
            type="file"
            required
            accept=".csv,.tsv,.txt,.xlsx,.ndjson,.jsonl"
          />
        </Field>
      </div>
      <div className="row">
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.upload}
        </Button>
      </div>
    </form>
  )
}

function ImportCard({ job }: { readonly job: ImportJob }) {
  const { locale } = useMessages()
  const own = useImportMessages()
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const { id, fileName, kind, status, by, createdAt } = job
  return (
    <li className="card section">
      <h3>
        <Link to={`${addressOf.imports}/${id}`}>{fileName}</Link>
      </h3>
      <p className="row">
        <span className={`badge ${toneOf[status]}`}>{own.statuses[status]}</span>
        <span>{own.kinds[kind as keyof typeof own.kinds]}</span>
        <span className="quiet">
          {at.format(new Date(createdAt))} · {by}
        </span>
      </p>
    </li>
  )
}
