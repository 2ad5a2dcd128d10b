import { useMessages } from '../messages/messages.tsx'
import { addressOf, Link } from './router.tsx'

/** What stands at an address where nothing is, or nothing for this person. */
export function NoPage() {
  const { messages } = useMessages()
  return (
    <div className="empty">
      <h1>{messages.faults.noPage}</h1>
      <p className="quiet">{messages.faults.noPageText}</p>
      <Link className="button" to={addressOf.home}>
        {messages.frame.home}
      </Link>
    </div>
  )
}
