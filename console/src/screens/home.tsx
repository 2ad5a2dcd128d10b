import { Empty } from '../elements/states.tsx'
import { useWords } from '../messages/words.tsx'
import { useSession } from '../session/session.tsx'

/** Where somebody begins. */
export default function Home() {
  const { words } = useWords()
  const { rights, user } = useSession()
  if (rights.length === 0) return <Empty title={words.session.noRights} text={words.session.noRightsText} />
  return (
    <>
      <h1>{user.fullName}</h1>
      <Empty title={words.frame.today} text={words.frame.todayText} />
    </>
  )
}
