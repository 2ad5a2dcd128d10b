import type { RecordType } from '@matricula/contract/record-types'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ShownFile } from '../../calls/admissions/shown-files.ts'
import { addressOfFile } from '../../calls/place.ts'
import { type Attachment, attach, attachments, type Document, findFile } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useRights } from '../use-record-type.ts'

const LookAtFile = lazy(() => import('./file-preview.tsx'))

/** Files of which it is not known whether they were attached, and what was there before; null where none was sent. */
interface Unanswered {
  readonly files: readonly File[]
  readonly before: ReadonlySet<string> | null
}

/** The files of a record. One whose answer was lost is looked for before it is sent again, so that it is attached once. */
export function AttachedFiles({ type, record }: { readonly type: RecordType; readonly record: Document }) {
  const { messages } = useMessages()
  const mayDo = useRights(type)
  const queries = useQueryClient()
  const tell = useNotify()
  const [isBusy, setBusy] = useState(false)
  const [unanswered, setUnanswered] = useState<Unanswered | null>(null)
  const [looked, setLooked] = useState<ShownFile | null>(null)
  const queryKey = ['attachments', type.name, record.name]
  const look = () => attachments(type.name, record.name)
  const files = useQuery({ queryKey, queryFn: look })
  const send = async (chosen: readonly File[], earlier: ReadonlySet<string> | null) => {
    if (isBusy || chosen.length === 0) return
    setBusy(true)
    let before = earlier
    const left = [...chosen]
    try {
      const there = await look()
      before ??= new Set(there.map(({ name }) => name))
      const came = there.filter(({ name }) => before?.has(name) === false)
      for (const file of chosen) {
        const isThere = came.some(({ file_name, file_size }) => file_name === file.name && file_size === file.size)
        if (!isThere) await attach(type.name, record.name, file)
        left.shift()
      }
      setUnanswered(null)
      tell(messages.record.attached)
    } catch (error) {
      setUnanswered({ files: left, before })
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <section className="card" aria-busy={isBusy}>
      <h2>{messages.record.files}</h2>
      {files.data?.length === 0 && <p className="quiet">{messages.record.noFiles}</p>}
      <ul>
        {files.data?.map((file) => (
          <li key={file.name}>
            <AttachedFile file={file} onLook={setLooked} />
          </li>
        ))}
      </ul>
      {looked !== null && (
        <Suspense>
          <LookAtFile file={looked} onClose={() => setLooked(null)} />
        </Suspense>
      )}
      {unanswered !== null && (
        <p className="fault">
          {unanswered.files.map(({ name }) => name).join(', ')}{' '}
          <Button isBusy={isBusy} onClick={() => void send(unanswered.files, unanswered.before)}>
            {messages.faults.again}
          </Button>
        </p>
      )}
      {mayDo('write') && (
        <label className="field">
          <span className="label">{messages.record.attach}</span>
          <input
            className="input"
            type="file"
            multiple
            onChange={({ target }) => {
              void send([...(target.files ?? [])], null)
              target.value = ''
            }}
          />
        </label>
      )}
    </section>
  )
}

interface FileProps {
  readonly file: Attachment
  readonly onLook: (file: ShownFile) => void
}

/** Its name, by which it is looked at over the page where that can be, else opened where it has an address. */
function AttachedFile({ file, onLook }: FileProps) {
  const shown = findFile(file)
  const address = addressOfFile(file.file_url)
  if (shown !== null) {
    return (
      <Button kind="plain" onClick={() => onLook(shown)}>
        {file.file_name}
      </Button>
    )
  }
  if (address === null) return file.file_name
  return (
    <a className="file" href={address} target="_blank" rel="noreferrer">
      {file.file_name}
    </a>
  )
}
