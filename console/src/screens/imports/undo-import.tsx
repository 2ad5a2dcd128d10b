import { useState } from 'react'
import { type ImportJob, undoImport } from '../../calls/imports-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useImportMessages } from './use-import-messages.ts'

interface Props {
  readonly job: ImportJob
  readonly onBegun: (job: ImportJob) => void
}

/** Takes an import back; what changed since stays, and is listed. */
export function UndoImport({ job, onBegun }: Props) {
  const { messages } = useMessages()
  const own = useImportMessages()
  const tell = useNotify()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { undone, kept, keptCount, status } = job
  const undo = async () => {
    setBusy(true)
    try {
      onBegun(await undoImport(job.id))
      setAsking(false)
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {undone !== null && <p>{own.undone(undone)}</p>}
      {keptCount > 0 && (
        <section className="card section stack">
          <h2>{own.kept(keptCount)}</h2>
          <ul>
            {kept.map(({ id, externalId, detail }) => (
              <li key={id}>
                {externalId ?? id}: {detail}
              </li>
            ))}
          </ul>
        </section>
      )}
      {status === 'imported' && (
        <div className="row">
          <Button kind="danger" onClick={() => setAsking(true)}>
            {own.undo}
          </Button>
        </div>
      )}
      {isAsking && (
        <Dialog title={own.undoOf(job.fileName)} onClose={() => setAsking(false)}>
          <p>{own.undoText}</p>
          <Button kind="danger" isBusy={isBusy} onClick={() => void undo()}>
            {own.undoNow}
          </Button>
        </Dialog>
      )}
    </>
  )
}
