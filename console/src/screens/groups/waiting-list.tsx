import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptOffer, leaveWaitingList, offerPlaces } from '../../calls/academics/groups-api.ts'
import { create, list } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, Link } from '../../shell/router.tsx'
import { useDay } from '../fees/days.ts'
import { StudentField } from './student-field.tsx'
import { useGroupMessages } from './use-group-messages.ts'

interface Entry {
  readonly name: string
  readonly student: string
  readonly student_name: string | null
  readonly status: string
  readonly offer_expires_on: string | null
}

/** Those who wait for a place in a group, in order, with the places that are offered. */
export function WaitingList({ group }: { readonly group: string }) {
  const own = useGroupMessages()
  const { messages, named } = useMessages()
  const { may } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const showDay = useDay()
  const [isBusy, setBusy] = useState(false)
  const entries = useQuery({
    queryKey: ['list', 'Waiting List Entry', group],
    queryFn: async () =>
      (await list('Waiting List Entry', {
        fields: ['name', 'student', 'student_name', 'status', 'offer_expires_on'],
        filters: [
          ['student_group', '=', group],
          ['status', 'in', ['Waiting', 'Offered'] as unknown as string],
        ],
        orFilters: [],
        order: 'position asc',
        start: 0,
        length: 200,
      })) as unknown as Entry[],
  })
  const act = async (work: () => Promise<string>) => {
    if (isBusy) return
    setBusy(true)
    try {
      tell(await work())
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: ['list', 'Waiting List Entry'] })
      void queries.invalidateQueries({ queryKey: ['record', 'Student Group', group] })
    }
  }
  const mayChange = may('Waiting List Entry', 'write')
  return (
    <section className="card section stack" aria-label={own.waiting}>
      <h2>{own.waiting}</h2>
      {entries.isPending && <Waiting lines={2} />}
      {entries.isError && <Failed error={entries.error} again={() => void entries.refetch()} />}
      {entries.data?.length === 0 && <p className="quiet">{own.noWaiting}</p>}
      <ol className="timeline">
        {entries.data?.map(({ name, student, student_name, status, offer_expires_on: until }) => {
          const called = student_name ?? student
          return (
            <li key={name} className="row">
              <Link className="file" to={addressOf.profile(student)}>
                {called}
              </Link>
              <span className={`badge ${status === 'Offered' ? 'good' : 'wait'}`}>{named(status)}</span>
              {until !== null && <span className="quiet small">{own.until(showDay(until))}</span>}
              {mayChange && status === 'Offered' && may('Student Group', 'write') && (
                <Button
                  isBusy={isBusy}
                  onClick={() =>
                    void act(async () => {
                      await acceptOffer(name)
                      return own.accepted(called)
                    })
                  }
                >
                  {own.accept}
                  <span className="unseen"> {called}</span>
                </Button>
              )}
              {mayChange && (
                <Button
                  kind="plain"
                  isBusy={isBusy}
                  onClick={() =>
                    void act(async () => {
                      await leaveWaitingList(name)
                      return own.left(called)
                    })
                  }
                >
                  {own.leave}
                  <span className="unseen"> {called}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ol>
      {may('Waiting List Entry', 'create') && (
        <StudentField
          id="wait-student"
          label={own.wait}
          onPick={({ student, called }) =>
            void act(async () => {
              await create('Waiting List Entry', { student_group: group, student }, crypto.randomUUID())
              return own.waits(called)
            })
          }
        />
      )}
      {mayChange && (entries.data?.length ?? 0) > 0 && (
        <p>
          <Button isBusy={isBusy} onClick={() => void act(async () => own.offered((await offerPlaces(group)).length))}>
            {own.offer}
          </Button>
        </p>
      )}
    </section>
  )
}
