import { useWords } from '../messages/words.tsx'
import { addressOf, Link } from './router.tsx'

/** What stands at an address where nothing is, or nothing for this person. */
export function NoPage() {
  const { words } = useWords()
  return (
    <div className="empty">
      <h1>{words.faults.noPage}</h1>
      <p className="quiet">{words.faults.noPageText}</p>
      <Link className="button" to={addressOf.home}>
        {words.frame.home}
      </Link>
    </div>
  )
}
