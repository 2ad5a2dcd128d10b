import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fileOf } from '../../calls/admissions-api.ts'
import { type Application, type Paper, papersOf, requirementsOf } from '../../calls/application-api.ts'
import { Preview } from '../../documents/preview.tsx'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Failed } from '../../session/failed.tsx'
import { useApplicationWords } from './use-application-words.ts'

const good = ['satisfied', 'waived', 'approved']
const bad = ['missing', 'rejected', 'expired']

/** How what is asked of an applicant stands, and what was handed in, to be looked at in place. */
export function Papers({ record }: { readonly record: Application }) {
  const own = useApplicationWords()
  const [looked, setLooked] = useState<Paper | null>(null)
  const asked = useQuery({
    queryKey: ['vault_document', 'requirements', record.id],
    queryFn: () => requirementsOf(record.id),
  })
  const papers = useQuery({ queryKey: ['vault_document', 'of', record.id], queryFn: () => papersOf(record.id) })
  const failed = asked.error ?? papers.error
  if (failed !== null)
    return <Failed error={failed} again={() => void Promise.all([asked.refetch(), papers.refetch()])} />
  const badge = (status: string) => (
    <span className={`badge ${good.includes(status) ? 'good' : bad.includes(status) ? 'bad' : 'wait'}`}>
      {own.states[status] ?? status}
    </span>
  )
  return (
    <section className="card section">
      <h2>{own.papers}</h2>
      <h3>{own.asked}</h3>
      {asked.data?.requirements.length === 0 && <p className="quiet">{own.noneAsked}</p>}
      <ul className="timeline">
        {asked.data?.requirements.map(({ requirementId, label, status, rejectionReason }) => (
          <li key={requirementId}>
            {label} {badge(status)} <span className="quiet">{rejectionReason}</span>
          </li>
        ))}
      </ul>
      <h3>{own.handedIn}</h3>
      {papers.data?.length === 0 && <p className="quiet">{own.noPapers}</p>}
      <ul className="timeline">
        {papers.data?.map((paper) => (
          <li key={paper.id}>
            {paper.documentType.name} {badge(paper.status)}{' '}
            {paper.currentVersion !== null && (
              <Button kind="plain" onClick={() => setLooked(paper)}>
                {own.look(paper.title)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {looked !== null && looked.currentVersion !== null && (
        <Dialog title={looked.title} className="wide" onClose={() => setLooked(null)}>
          <Preview file={fileOf(looked.id, looked.currentVersion)} title={looked.title} />
        </Dialog>
      )}
    </section>
  )
}
