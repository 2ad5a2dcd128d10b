import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { judge } from '../../calls/admissions/admissions-api.ts'
import { type BroughtDocument, recordDocument } from '../../calls/admissions/brought-documents.ts'
import { documentTypeOptions } from '../../calls/admissions/requests-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useApplicationMessages } from './use-application-messages.ts'

interface Props {
  readonly applicationId: string
  /** What is asked of the applicant and not there yet, offered first. */
  readonly missing: readonly { readonly documentTypeId: string }[]
  readonly onClose: () => void
}

/** Records a document that somebody brought to the desk, and approves it where the original was seen. */
export function BringDocument({ applicationId, missing, onClose }: Props) {
  const own = useApplicationMessages()
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const wanted = missing.map(({ documentTypeId }) => documentTypeId)
  const [typeId, setTypeId] = useState(wanted[0] ?? '')
  const [file, setFile] = useState<File | null>(null)
  const [isSeen, setSeen] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [rejected, setRejected] = useState<{ readonly text: string; readonly count: number } | null>(null)
  // One for each intention: sent again, it makes one document.
  const [keys] = useState(() => new Map<string, string>())
  const types = useQuery({ queryKey: ['document-types'], queryFn: documentTypeOptions })
  const offered = (types.data ?? [])
    .filter(({ appliesTo }) => appliesTo.includes('application'))
    .sort((one, other) => Number(wanted.includes(other.id)) - Number(wanted.includes(one.id)))
  const chosen = offered.some(({ id }) => id === typeId) ? typeId : (offered[0]?.id ?? '')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || file === null || chosen === '') return
    setBusy(true)
    const brought: BroughtDocument = {
      documentTypeId: chosen,
      entityType: 'application',
      entityId: applicationId,
      file,
    }
    const said = [chosen, file.name, file.size, file.lastModified].join(' ')
    const key = keys.get(said) ?? crypto.randomUUID()
    keys.set(said, key)
    try {
      const { id, entityTag, status } = await recordDocument(key, brought)
      if (isSeen && ['uploaded', 'in_review'].includes(status)) await judge(id, entityTag, { status: 'approved' })
      tell(own.brought)
      onClose()
    } catch (error) {
      // A file that was rejected stays so; another attempt is another upload.
      keys.delete(said)
      setRejected((before) => ({ text: getErrorText(error, messages), count: (before?.count ?? 0) + 1 }))
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey: ['vault_document'] })
      void queries.invalidateQueries({ queryKey: ['board'], refetchType: 'none' })
    }
  }
  return (
    <Dialog title={own.bring} onClose={onClose}>
      {types.isPending && <Waiting lines={3} />}
      {types.isError && <Failed error={types.error} again={() => void types.refetch()} />}
      {types.data !== undefined && (
        <form className="stack" onSubmit={(event) => void send(event)}>
          {rejected !== null && (
            <ErrorSummary key={rejected.count} title={messages.faults.notSaved}>
              <p>{rejected.text}</p>
            </ErrorSummary>
          )}
          <Field id="brought-type" label={own.documentType} isRequired>
            <select
              id="brought-type"
              className="input"
              value={chosen}
              onChange={({ target }) => setTypeId(target.value)}
            >
              {offered.map(({ id, name }) => (
                <option key={id} value={id}>
                  {wanted.includes(id) ? `${name} (${own.states.missing})` : name}
                </option>
              ))}
            </select>
          </Field>
          <Field id="brought-file" label={own.file} isRequired>
            <input
              id="brought-file"
              className="input"
              type="file"
              required
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
            />
          </Field>
          <label className="row">
            <input type="checkbox" checked={isSeen} onChange={({ target }) => setSeen(target.checked)} />
            {own.seen}
          </label>
          <Button type="submit" kind="main" isBusy={isBusy}>
            {own.bring}
          </Button>
        </form>
      )}
    </Dialog>
  )
}
