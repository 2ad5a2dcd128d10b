import { logOut } from '../calls/session-calls.ts'
import { forgetDrafts } from './drafts.ts'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('matricula-session')

/** Ends the session in all windows of this browser, and forgets what was typed and not saved. Throws `CommandError` where it goes on. */
export async function leave(): Promise<void> {
  await logOut()
  await forgetDrafts()
  channel?.postMessage('over')
  location.reload()
}

/** Lets this window go when another one logs out: nothing of minors stays on a screen of nobody. */
export function followOtherWindows(): void {
  channel?.addEventListener('message', () => location.reload())
}
