import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'

/** For how long a window that was opened may take to read what it shows, in milliseconds. */
const readWithin = 60_000

/** Opens a PDF in a window of its own, from which it is printed; saves it where no window may be opened. */
export function useOpenPdf(): (read: () => Promise<Blob>) => Promise<void> {
  const { messages } = useMessages()
  const tell = useNotify()
  return async (read) => {
    try {
      const address = URL.createObjectURL(await read())
      setTimeout(() => URL.revokeObjectURL(address), readWithin)
      if (window.open(address, '_blank') !== null) return
      Object.assign(document.createElement('a'), { href: address, download: '' }).click()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    }
  }
}
