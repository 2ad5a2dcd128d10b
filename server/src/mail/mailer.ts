import { createRequire } from 'node:module'
import type { createTransport, Transporter } from 'nodemailer'
import { traced } from '../tracing/index.ts'

/** Loads nodemailer where mail is configured: elsewhere it would be a part of the service's start for nothing. */
const load = createRequire(import.meta.url)

/** A mail as text. */
export interface Letter {
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly attachments?: readonly Attachment[]
}

/** A file that a mail brings. */
interface Attachment {
  readonly fileName: string
  readonly mediaType: string
  readonly bytes: Buffer
}

/** SMTP_URL or MAIL_FROM has a value that mail cannot be sent with. The message says what it takes. */
export class MailSettingError extends Error {}

/**
 * Reads an SMTP_URL: `smtp://` or `smtps://`, with `user:password@` where the server wants one. Throws
 * `MailSettingError`.
 */
export function parseSmtpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSmtp = url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== ''
  // Options in the query would let one line of configuration read files and switch off the encryption.
  if (isSmtp && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '' && url.port !== '0') return url
  throw new MailSettingError('SMTP_URL must have the form smtp://user:password@host:port, or smtps:// for TLS')
}

/** Reads a MAIL_FROM: an address, or a name before one in angle brackets. Throws `MailSettingError`. */
export function parseMailFrom(text: string): { name: string; address: string } {
  const parts = /^(?:([^<>\r\n]*)<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/.exec(text)
  const address = parts?.[2] ?? parts?.[3]
  if (address !== undefined) return { name: (parts?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address }
  throw new MailSettingError('MAIL_FROM must be an address, such as: Hillside College <office@hillside.example>')
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]']

/**
 * Sends mail over SMTP (RFC 5321), with TLS whenever the server offers it, and no password without TLS to another
 * machine.
 */
export class Mailer {
  readonly #transport: Transporter
  readonly #from: { name: string; address: string }

  /** Both as the environment has them. Throws `MailSettingError`. */
  constructor({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string }) {
    const url = parseSmtpUrl(smtpUrl)
    const isSecure = url.protocol === 'smtps:'
    this.#from = parseMailFrom(mailFrom)
    const nodemailer = load('nodemailer') as { readonly createTransport: typeof createTransport }
    this.#transport = nodemailer.createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (isSecure ? 465 : 587)),
      secure: isSecure,
      requireTLS: url.username !== '' && !isSecure && !thisMachine.includes(url.hostname),
      ...(url.username !== '' && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  /**
   * Sends a letter, and resolves when the server has taken it. The id makes the Message-ID, so that a letter that is
   * sent twice can be told to be one. Throws what the transport throws.
   */
  async send(id: string, { to, subject, text, attachments = [] }: Letter): Promise<void> {
    const sending = () =>
      this.#transport.sendMail({
        from: this.#from,
        to,
        subject,
        text,
        attachments: attachments.map(({ fileName, mediaType, bytes }) => {
          return { filename: fileName, contentType: mediaType, content: bytes }
        }),
        messageId: `<${id}@${this.#from.address.split('@')[1]}>`,
        // Nobody's absence note should answer it (RFC 3834 §5).
        headers: { 'auto-submitted': 'auto-generated' },
      })
    await traced('mail', 'client', {}, sending)
  }

  /** Connects and logs in as for a letter, and sends none. Throws what the transport throws. */
  async check(): Promise<void> {
    await this.#transport.verify()
  }

  close(): void {
    this.#transport.close()
  }
}
