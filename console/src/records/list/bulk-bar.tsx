import type { RecordType } from '@matricula/contract/record-types'
import { lazy, Suspense, useState } from 'react'
import type { BulkAction, BulkJob, Selection } from '../../calls/bulk-jobs.ts'
import { Button } from '../../elements/button.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useRights } from '../use-record-type.ts'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))

/** As what families are asked for papers of a record, by its type. */
const askedAs: Readonly<Record<string, 'student' | 'application'>> = {
  Student: 'student',
  'Student Applicant': 'application',
}

interface Props {
  readonly type: RecordType
  readonly selection: Selection
  /** How many are picked. */
  readonly count: number
  /** How many match the list's filters. */
  readonly total: number
  readonly onPickAll: () => void
  readonly onUnpick: () => void
  readonly onBegun: (job: BulkJob) => void
}

/** What is done with the records that are picked. */
export function BulkBar({ type, selection, count, total, onPickAll, onUnpick, onBegun }: Props) {
  const { messages } = useMessages()
  const mayDo = useRights(type)
  const [open, setOpen] = useState<BulkAction | null>(null)
  const { has, may } = useSession()
  const asked = askedAs[type.name]
  const isSubmittable = type.kind === 'submittable'
  const actions: [BulkAction, boolean][] = [
    ['update', mayDo('write')],
    ['submit', isSubmittable && mayDo('submit')],
    ['cancel', isSubmittable && mayDo('cancel')],
    ['delete', mayDo('delete')],
  ]
  return (
    <section className="picked" aria-label={messages.list.picked(count)}>
      <strong role="status">{messages.list.picked(count)}</strong>
      {count < total && <Button onClick={onPickAll}>{messages.list.pickAll(total)}</Button>}
      {actions
        .filter(([, mayBe]) => mayBe)
        .map(([action]) => (
          <Button key={action} onClick={() => setOpen(action)}>
            {messages.bulk.actions[action]}
          </Button>
        ))}
      {asked !== undefined && has('vault:write') && (
        <Link className="button" to={addressOf.askPicked(asked, selection)}>
          {messages.list.askFamilies}
        </Link>
      )}
      {type.name === 'Student' && may('Student Group', 'write') && (
        <Link className="button" to={addressOf.addPicked(selection)}>
          {messages.list.addToGroup}
        </Link>
      )}
      <Button kind="plain" onClick={onUnpick}>
        {messages.list.unpick}
      </Button>
      {open !== null && (
        <Suspense>
          <BulkDialog
            key={JSON.stringify(selection)}
            type={type}
            action={open}
            selection={selection}
            onClose={() => setOpen(null)}
            onBegun={(job) => {
              setOpen(null)
              onBegun(job)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
