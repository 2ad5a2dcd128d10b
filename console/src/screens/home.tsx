import { Empty } from '../elements/states.tsx'
import { useMessages } from '../messages/messages.tsx'
import { useSession } from '../session/session.tsx'

/** Where somebody begins. */
export default function Home() {
  const { messages } = useMessages()
  const { rights, user } = useSession()
  if (rights.length === 0) return <Empty title={messages.session.noRights} text={messages.session.noRightsText} />
  return (
    <>
      <h1>{user.fullName}</h1>
      <Empty title={messages.frame.today} text={messages.frame.todayText} />
    </>
  )
}
