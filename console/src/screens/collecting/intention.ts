import { useState } from 'react'
import { isStoredRejection } from '../../calls/http.ts'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'

/** Something that is done once, however often it is tapped and sent: its key changes when it was done or refused. */
export function useIntention(): {
  readonly isBusy: boolean
  /** Does it; whether it was done. What went wrong is told. */
  readonly act: (work: (key: string) => Promise<void>) => Promise<boolean>
} {
  const { messages } = useMessages()
  const tell = useNotify()
  const [state] = useState(() => ({ key: crypto.randomUUID(), isBusy: false }))
  const [isBusy, setBusy] = useState(false)
  const act = async (work: (key: string) => Promise<void>) => {
    // Told at once, because a second tap comes before anything is drawn.
    if (state.isBusy) return false
    state.isBusy = true
    setBusy(true)
    try {
      await work(state.key)
      state.key = crypto.randomUUID()
      return true
    } catch (error) {
      if (isStoredRejection(error)) state.key = crypto.randomUUID()
      tell(getErrorText(error, messages), { isBad: true })
      return false
    } finally {
      state.isBusy = false
      setBusy(false)
    }
  }
  return { isBusy, act }
}
