import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  accountNames,
  type DunningRun,
  dunningRun,
  dunningRuns,
  proposeReminders,
} from '../../calls/fees/collecting-api.ts'
import { Button } from '../../elements/button.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { useDay } from '../fees/days.ts'
import { useIntention } from './intention.ts'
import { NoticeList } from './notice-list.tsx'
import { useCollectingMessages } from './use-collecting-messages.ts'
import './collecting.css'

const addressOfRun = (id: string) => `${addressOf.reminders}?run=${id}`

/** Reminders of what is overdue: they are proposed by level, looked at, and then sent, all or some. */
export default function Reminders() {
  const { messages } = useMessages()
  const own = useCollectingMessages()
  const { has } = useSession()
  const queries = useQueryClient()
  const { isBusy, act } = useIntention()
  const showDay = useDay()
  const isOpen = has('billing:read')
  const run = new URLSearchParams(useQueryText()).get('run')
  const runs = useQuery({ queryKey: ['payment', 'dunning'], queryFn: dunningRuns, enabled: isOpen })
  useEffect(() => {
    document.title = messages.screens.reminders
  }, [messages])
  if (!isOpen) return <NoPage />
  const propose = () =>
    act(async (key) => {
      const made = await proposeReminders(key)
      void queries.invalidateQueries({ queryKey: ['payment', 'dunning'] })
      go(addressOfRun(made.id))
    })
  const earlier = runs.data?.filter(({ id }) => id !== run) ?? []
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{messages.screens.reminders}</h1>
          <p className="quiet">{own.runText}</p>
        </div>
        {has('billing:write') && (
          <Button kind="main" isBusy={isBusy} onClick={() => void propose()}>
            {own.run}
          </Button>
        )}
      </div>
      {run !== null && <RunCard key={run} id={run} />}
      {runs.isPending && <Waiting />}
      {runs.isError && <Failed error={runs.error} again={() => void runs.refetch()} />}
      {runs.data?.length === 0 && run === null && <Empty title={own.noRuns} text={own.runText} />}
      {earlier.length > 0 && (
        <section className="card section" aria-label={own.runs}>
          <h2>{own.runs}</h2>
          <ul className="timeline">
            {earlier.map(({ id, asOf, notices }) => (
              <li key={id}>
                <Link className="file" to={addressOfRun(id)}>
                  {own.runOf(showDay(asOf))}
                </Link>{' '}
                <span className="quiet">{own.notices(notices.length)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function RunCard({ id }: { readonly id: string }) {
  const own = useCollectingMessages()
  const showDay = useDay()
  const run = useQuery({ queryKey: ['payment', 'dunning', id], queryFn: () => dunningRun(id) })
  const ids = run.data?.notices.map(({ accountId }) => accountId) ?? []
  const names = useQuery({
    queryKey: ['payment', 'names', ...ids],
    queryFn: () => accountNames(ids),
    enabled: ids.length > 0,
  })
  if (run.isPending) return <Waiting lines={6} />
  if (run.isError) return <Failed error={run.error} again={() => void run.refetch()} />
  return (
    <section className="card section" aria-label={own.runOf(showDay(run.data.asOf))}>
      <h2>{own.runOf(showDay(run.data.asOf))}</h2>
      <Notices run={run.data} names={names.data} />
    </section>
  )
}

function Notices({
  run,
  names,
}: {
  readonly run: DunningRun
  readonly names: ReadonlyMap<string, string> | undefined
}) {
  const own = useCollectingMessages()
  if (run.notices.length === 0) return <p>{own.noNotices}</p>
  if (names === undefined) return <Waiting lines={4} />
  return <NoticeList run={run} names={names} />
}
