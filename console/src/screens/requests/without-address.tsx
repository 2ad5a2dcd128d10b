import { useState } from 'react'
import { previewRequests } from '../../calls/requests-api.ts'
import { Button } from '../../elements/button.tsx'
import { useTell } from '../../elements/notices.tsx'
import { useWords } from '../../messages/words.tsx'
import { tellingOf } from '../../session/telling.ts'
import { newSending, type Sending, type Unreached } from './sending.ts'
import { useRequestWords } from './use-request-words.ts'

interface Props {
  readonly unreached: Unreached
  readonly onLinks: (sending: Sending) => void
}

/** Leads to those of whom no address is known: no job asks them, since their links are told once, to whoever asks. */
export function WithoutAddress({ unreached, onLinks }: Props) {
  const { asked, asking, message, ids } = unreached
  const { words } = useWords()
  const own = useRequestWords()
  const tell = useTell()
  const [isBusy, setBusy] = useState(false)
  if (ids.length === 0) return null
  const look = async () => {
    setBusy(true)
    try {
      onLinks(newSending(asked, asking, message, await previewRequests(asked, ids, asking)))
    } catch (error) {
      tell(tellingOf(error, words), { isBad: true })
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void look()}>
      {own.links(ids.length)}
    </Button>
  )
}
