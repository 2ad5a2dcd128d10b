import { useEffect, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { forgetSending, resumed, type Sending, storedSending } from './sending.ts'
import { useRequestMessages } from './use-request-messages.ts'

/** Offers to go on with asking families that ended when the page was closed: who was asked already is not asked again. */
export function Interrupted({ onGoOn }: { readonly onGoOn: (sending: Sending) => void }) {
  const own = useRequestMessages()
  const { messages } = useMessages()
  const { user } = useSession()
  const tell = useNotify()
  const [isBusy, setBusy] = useState(false)
  const [begun, setBegun] = useState<Awaited<ReturnType<typeof storedSending>>>(null)
  useEffect(() => {
    void storedSending(user.name).then(setBegun)
  }, [user.name])
  if (begun === null) return null
  const goOn = async () => {
    setBusy(true)
    try {
      onGoOn(await resumed(begun))
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    }
  }
  const forget = () => {
    setBegun(null)
    void forgetSending(user.name, begun.key)
  }
  return (
    <div className="told wait" role="status">
      <p>{own.interrupted(begun.people.length)}</p>
      <div className="row">
        <Button kind="main" isBusy={isBusy} onClick={() => void goOn()}>
          {own.goOn}
        </Button>
        <Button kind="plain" onClick={forget}>
          {own.forget}
        </Button>
      </div>
    </div>
  )
}
