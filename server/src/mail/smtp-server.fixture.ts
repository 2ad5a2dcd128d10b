import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server on this machine that keeps what it takes. */
export interface TestMailServer {
  readonly url: string
  /** Whole messages, as they came, with who sent and who gets them. */
  readonly taken: { readonly from: string; readonly to: readonly string[]; readonly message: string }[]
  /** Recipients that it refuses, with the reply code. */
  readonly refused: Map<string, number>
  close(): Promise<void>
}

export async function startTestMailServer(port = 0): Promise<TestMailServer> {
  const taken: TestMailServer['taken'] = []
  const rejected = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = rejected.get(address)
      done(responseCode === undefined ? null : Object.assign(new Error('not taken'), { responseCode }))
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        taken.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  server.on('error', () => {}) // a client that hangs up is no concern of the server's
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actualPort } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${actualPort}`,
    taken,
    refused: rejected,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The text of a message: its body, decoded. */
export function getText(message: string): string {
  const [head = '', ...body] = message.split('\r\n\r\n')
  const encoded = body.join('\r\n\r\n')
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(encoded, 'base64').toString()
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return encoded.replaceAll('\r\n', '\n')
  const bytes = encoded
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}

/** The value of a header of a message, decoded (RFC 2047). */
export function getHeader(message: string, name: string): string {
  const head = (message.split('\r\n\r\n')[0] as string).replace(/\r\n[ \t]+/g, ' ')
  const value = new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? ''
  return value.replace(/\?= =\?/g, '?==?').replace(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, kind, text) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString()
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replace(/=([0-9A-F]{2})/g, (_all: string, digits: string) =>
              String.fromCharCode(Number.parseInt(digits, 16)),
            ),
          'latin1',
        ).toString(),
  )
}
