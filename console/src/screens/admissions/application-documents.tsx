import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { getFile } from '../../calls/admissions/admissions-api.ts'
import {
  type Application,
  type ApplicationDocument,
  loadDocuments,
  requirementsOf,
} from '../../calls/admissions/application-api.ts'
import { Preview } from '../../documents/preview.tsx'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { askedDocuments } from './lacking.ts'
import { useApplicationMessages } from './use-application-messages.ts'

const BringDocument = lazy(async () => ({ default: (await import('./bring-document.tsx')).BringDocument }))

const good = ['satisfied', 'waived', 'approved']
const bad = ['missing', 'rejected', 'expired']

/** How what is asked of an applicant stands, and what was handed in, to be looked at in place. */
export function Documents({ record }: { readonly record: Application }) {
  const own = useApplicationMessages()
  const { has } = useSession()
  const [isBringing, setBringing] = useState(false)
  const [looked, setLooked] = useState<ApplicationDocument | null>(null)
  const asked = useQuery({
    queryKey: ['vault_document', 'requirements', record.id],
    queryFn: () => requirementsOf(record.id),
  })
  const documents = useQuery({ queryKey: ['vault_document', 'of', record.id], queryFn: () => loadDocuments(record.id) })
  const failed = asked.error ?? documents.error
  if (failed !== null)
    return <Failed error={failed} again={() => void Promise.all([asked.refetch(), documents.refetch()])} />
  const documentsAsked = asked.data === undefined ? [] : askedDocuments(asked.data)
  const badge = (status: string) => (
    <span className={`badge ${good.includes(status) ? 'good' : bad.includes(status) ? 'bad' : 'wait'}`}>
      {own.states[status] ?? status}
    </span>
  )
  return (
    <section className="card section">
      <h2>{own.documents}</h2>
      <h3>{own.asked}</h3>
      {asked.data?.requirements.length === 0 && <p className="quiet">{own.noneAsked}</p>}
      <ul className="timeline">
        {documentsAsked.map(({ documentTypeId, label, status, rejectionReason, askedBy }) => (
          <li key={documentTypeId}>
            {label} {badge(status)} <span className="quiet">{rejectionReason}</span>
            <span className="quiet small">{own.askedBy(askedBy.join(', '))}</span>
          </li>
        ))}
      </ul>
      <h3>{own.handedIn}</h3>
      {documents.data?.length === 0 && <p className="quiet">{own.noDocuments}</p>}
      <ul className="timeline">
        {documents.data?.map((document) => (
          <li key={document.id}>
            {document.documentType.name} {badge(document.status)}{' '}
            {document.currentVersion !== null && (
              <Button kind="plain" onClick={() => setLooked(document)}>
                {own.look(document.title)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {has('vault:write') && (
        <div className="row">
          <Button onClick={() => setBringing(true)}>{own.bring}</Button>
          <Link className="button" to={`${addressOf.askFamilies}?application=${record.id}`}>
            {own.request}
          </Link>
        </div>
      )}
      {isBringing && (
        <Suspense>
          <BringDocument
            applicationId={record.id}
            missing={documentsAsked.filter(({ status }) => !good.includes(status))}
            onClose={() => setBringing(false)}
          />
        </Suspense>
      )}
      {looked !== null && looked.currentVersion !== null && (
        <Dialog title={looked.title} className="wide" onClose={() => setLooked(null)}>
          <Preview file={getFile(looked.id, looked.currentVersion)} title={looked.title} />
        </Dialog>
      )}
    </section>
  )
}
