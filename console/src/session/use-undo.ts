import { useNotify } from '../elements/notices.tsx'
import { useMessages } from '../messages/messages.tsx'
import { getErrorText } from './telling.ts'

/** Makes the `undo` of a notice: it says that what was done is undone, or why not, and then reads again either way. */
export function useUndo(): (takeBack: () => Promise<unknown>, readAgain: () => void) => () => void {
  const { messages } = useMessages()
  const tell = useNotify()
  return (takeBack, readAgain) => () =>
    void takeBack()
      .then(
        () => tell(messages.record.undone),
        (error: unknown) => tell(getErrorText(error, messages), { isBad: true }),
      )
      .finally(readAgain)
}
