import { putOutWelcome } from '../../identity/users/index.ts'
import type { RecordWork } from '../../record-engine/index.ts'

/**
 * Mails a user who was just made the link to set a first password, and tells the caller that it did, or that no mail is sent
 * from here.
 */
export async function welcomeUser(work: RecordWork, name: string): Promise<void> {
  if (!work.sendsMail) {
    const message = `The user ${name} was made. No mail is sent from here: give them a password with matricula user password.`
    work.messages.push({ message, indicator: 'orange' })
    return
  }
  await putOutWelcome(work.tx, work.caller, name)
  work.messages.push({
    message: `The user ${name} was made. A mail with a link to set a password is on its way.`,
    indicator: 'green',
  })
}
