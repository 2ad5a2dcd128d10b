import type { Config } from '../../app/config.ts'
import { Mailer } from '../../mail/index.ts'
import type { Check } from './check.ts'

/**
 * Whether the server of SMTP_URL takes the connection and the log-in; no mail is sent. Nothing where none is
 * configured.
 */
export async function checkMailServer({ mail }: Pick<Config, 'mail'>): Promise<Check[]> {
  if (mail === null) return []
  const name = 'mail server'
  const { host } = new URL(mail.smtpUrl)
  const mailer = new Mailer(mail)
  try {
    await mailer.check()
    return [{ name, status: 'ok', detail: `${host} takes the connection and the log-in` }]
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    const reason = reasons[code] ?? `It says: ${message.slice(0, 200)}`
    return [{ name, status: 'failure', detail: `${host} of SMTP_URL cannot be used. ${reason}` }]
  } finally {
    mailer.close()
  }
}

/** By the codes of nodemailer and of the system. */
const reasons: Readonly<Record<string, string>> = {
  EAUTH: 'It rejects the user or the password. Correct them.',
  ECONNECTION: 'Nothing listens there, or the network is in the way. Check host and port.',
  ECONNREFUSED: 'Nothing listens there. Check host and port.',
  ESOCKET: 'The connection breaks. Check the port, and whether it is smtp:// or smtps://.',
  ETIMEDOUT: 'It does not answer. Check host and port, and whether the network lets mail out.',
  EDNS: 'The host is unknown. Correct it.',
  ENOTFOUND: 'The host is unknown. Correct it.',
  ETLS: 'TLS cannot be agreed on, or its certificate is not trusted.',
}
