import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { serviceState } from '../../calls/administration-api.ts'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { useMoment } from './moments.ts'
import { useAdministrationMessages } from './use-administration-messages.ts'
import './administration.css'

/** A mail that is due for so long waits for something else than its turn, in milliseconds. */
const longestDue = 15 * 60_000

/** Without a backup for so long it is to be looked at, in milliseconds. */
const longestWithoutBackup = 7 * 86_400_000

/** How the service fares: mails, jobs, backups and webhooks. */
export default function State() {
  const { messages } = useMessages()
  const own = useAdministrationMessages()
  const { user } = useSession()
  const showMoment = useMoment()
  const isOpen = user.roles.includes('System Manager')
  const state = useQuery({ queryKey: ['service_state'], queryFn: serviceState, enabled: isOpen })
  useEffect(() => {
    document.title = messages.screens.state
  }, [messages])
  if (!isOpen) return <NoPage />
  if (state.isPending) return <Waiting lines={6} />
  if (state.isError) return <Failed error={state.error} again={() => void state.refetch()} />
  const { mails, jobs, backups, webhooks, readAt } = state.data
  const age = (at: string) => Date.parse(readAt) - Date.parse(at)
  const areMailsOverdue = mails.oldestDueAt !== null && age(mails.oldestDueAt) > longestDue
  const isBackupOld = backups.madeAt === null || age(backups.madeAt) > longestWithoutBackup
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.state}</h1>
        <span className="quiet">{own.readAt(showMoment(readAt))}</span>
      </div>
      <div className="parts">
        <Part title={own.mails} isGood={mails.areSent && !areMailsOverdue && mails.givenUp === 0}>
          {!mails.areSent && <p>{own.mailsOff}</p>}
          <p>
            {[
              own.mailsWaiting(mails.waiting),
              mails.oldestDueAt === null ? null : own.mailsDue(showMoment(mails.oldestDueAt)),
              own.mailsGivenUp(mails.givenUp),
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        </Part>
        <Part title={own.jobs} isGood={jobs.failing.length === 0}>
          {jobs.lastRunAt !== null && <p>{own.jobsRun(showMoment(jobs.lastRunAt))}</p>}
          {jobs.failing.map(({ job, since, code }) => (
            <p key={job}>
              {own.jobFails(job, showMoment(since))} {code !== null && <span className="quiet">{code}</span>}
            </p>
          ))}
        </Part>
        <Part title={own.backups} isGood={!isBackupOld && backups.failingSince === null}>
          <p>{backups.madeAt === null ? own.noBackup : own.backupMade(showMoment(backups.madeAt))}</p>
          {backups.failingSince !== null && <p>{own.backupFails(showMoment(backups.failingSince))}</p>}
        </Part>
        <Part title={own.hooks} isGood={webhooks.disabledByFailures === 0}>
          <p>{own.hooksOn(webhooks.enabled)}</p>
          {webhooks.disabledByFailures > 0 && <p>{own.hooksOff(webhooks.disabledByFailures)}</p>}
        </Part>
      </div>
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly isGood: boolean
  readonly children: ReactNode
}

function Part({ title, isGood, children }: PartProps) {
  const own = useAdministrationMessages()
  return (
    <section className="card section" aria-label={title}>
      <h2>
        {title} <span className={`badge ${isGood ? 'good' : 'wait'}`}>{isGood ? own.good : own.look}</span>
      </h2>
      {children}
    </section>
  )
}
