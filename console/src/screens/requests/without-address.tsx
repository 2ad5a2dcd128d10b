import { useState } from 'react'
import { previewRequests } from '../../calls/admissions/requests-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { newSending, type Sending, type Unreached } from './sending.ts'
import { useRequestMessages } from './use-request-messages.ts'

interface Props {
  readonly unreached: Unreached
  readonly onLinks: (sending: Sending) => void
}

/** Leads to those of whom no address is known: no job asks them, since their links are told once, to whoever asks. */
export function WithoutAddress({ unreached, onLinks }: Props) {
  const { asked, asking, message, ids } = unreached
  const { messages } = useMessages()
  const own = useRequestMessages()
  const tell = useNotify()
  const [isBusy, setBusy] = useState(false)
  if (ids.length === 0) return null
  const look = async () => {
    setBusy(true)
    try {
      onLinks(newSending(asked, asking, message, await previewRequests(asked, ids, asking)))
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void look()}>
      {own.links(ids.length)}
    </Button>
  )
}
