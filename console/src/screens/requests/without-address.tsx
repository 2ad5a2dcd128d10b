import { useState } from 'react'
import { previewRequests } from '../../calls/requests-api.ts'
import { Button } from '../../elements/button.tsx'
import { useTell } from '../../elements/notices.tsx'
import { tellingOf } from '../../session/telling.ts'
import { useWords } from '../../words/words.tsx'
import { type Many, newSending, type Sending } from './sending.ts'
import { useRequestWords } from './use-request-words.ts'

interface Props {
  readonly many: Many
  readonly onLinks: (sending: Sending) => void
}

/** Leads to those of whom no address is known: no job asks them, since their links are told once, to whoever asks. */
export function WithoutAddress({ many, onLinks }: Props) {
  const { asked, asking, message, preview } = many
  const { words } = useWords()
  const own = useRequestWords()
  const tell = useTell()
  const [isBusy, setBusy] = useState(false)
  if (preview.unreached === 0) return null
  const look = async () => {
    setBusy(true)
    try {
      onLinks(newSending(asked, asking, message, await previewRequests(asked, preview.unreachedIds, asking)))
    } catch (error) {
      tell(tellingOf(error, words), { isBad: true })
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void look()}>
      {own.links(preview.unreachedIds.length)}
    </Button>
  )
}
