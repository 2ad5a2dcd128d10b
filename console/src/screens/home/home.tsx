import { useQueries } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { Link } from '../../shell/router.tsx'
import { useHomeMessages } from './use-home-messages.ts'
import { workOf } from './work.ts'
import './home.css'

const Charts = lazy(() => import('./charts.tsx'))

/** Where somebody begins: the work of today by what the person may do. Each number opens exactly what it counts. */
export default function Home() {
  const { messages, locale } = useMessages()
  const own = useHomeMessages()
  const session = useSession()
  const { rights, user } = session
  const work = useMemo(() => workOf(session), [session])
  const counts = useQueries({ queries: work.map(({ queryKey, count }) => ({ queryKey, queryFn: count })) })
  useEffect(() => {
    document.title = own.today
  }, [own])
  if (rights.length === 0) return <Empty title={messages.session.noRights} text={messages.session.noRightsText} />
  const number = new Intl.NumberFormat(locale)
  return (
    <>
      <h1>{user.fullName}</h1>
      {work.length === 0 ? (
        <Empty title={messages.frame.today} text={messages.frame.todayText} />
      ) : (
        <section aria-labelledby="today">
          <h2 id="today">{own.today}</h2>
          <ul className="tiles">
            {work.map(({ key, to }, at) => {
              const { data, isError } = counts[at] ?? {}
              return (
                <li key={key}>
                  <Link className="card tile" to={to}>
                    <strong className={data === 0 ? 'quiet' : ''}>
                      {data === undefined ? (isError === true ? '–' : '…') : number.format(data)}
                    </strong>
                    <span>{own[key]}</span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </section>
      )}
      <Suspense fallback={<Waiting lines={4} />}>
        <Charts />
      </Suspense>
    </>
  )
}
