import { useEffect, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { draftOf, forgetDraft } from '../../session/drafts.ts'
import { useSession } from '../../session/session.tsx'
import { type Sending, sendingPlace } from './send-requests.tsx'
import { useRequestWords } from './use-request-words.ts'

/** For how long the service knows who was asked under a key, in milliseconds, less an hour. */
const knownFor = 23 * 3600 * 1000

/** Offers to go on with asking families that ended when the page was closed: who was asked already is not asked again. */
export function Interrupted({ onGoOn }: { readonly onGoOn: (sending: Sending) => void }) {
  const own = useRequestWords()
  const { user } = useSession()
  const [sending, setSending] = useState<Sending | null>(null)
  useEffect(() => {
    void draftOf(sendingPlace(user.name)).then((draft) => {
      if (draft !== null && Date.now() - draft.keptAt < knownFor) setSending(draft.values as unknown as Sending)
    })
  }, [user.name])
  if (sending === null) return null
  const people = sending.preview.asked.filter(({ asks }) => asks.length > 0)
  const forget = () => {
    setSending(null)
    void forgetDraft(sendingPlace(user.name))
  }
  return (
    <div className="told wait" role="status">
      <p>{own.interrupted(people.length)}</p>
      <div className="row">
        <Button kind="main" onClick={() => onGoOn(sending)}>
          {own.goOn}
        </Button>
        <Button kind="plain" onClick={forget}>
          {own.forget}
        </Button>
      </div>
    </div>
  )
}
