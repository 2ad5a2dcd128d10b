import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import type { Config } from '../../app/config.ts'
import { parseStorageUrl } from '../../storage/index.ts'
import type { Check } from './check.ts'
import { isLoopback } from './setting-checks.ts'

/** How long a host may take to show its certificate, in milliseconds. */
const timeoutMs = 5_000

/** A certificate that ends sooner is told, in days. */
const minDays = 14

/** How a server is asked for TLS: at once, or after a word of its own protocol. */
type Opening = 'tls' | 'postgresql' | 'smtp'

interface Place {
  /** The variable that names it. */
  readonly variable: string
  readonly host: string
  readonly port: number
  readonly opening: Opening
}

/**
 * Looks at the certificates of all hosts that the configuration names with TLS: whether they are trusted here, and
 * until when.
 */
export function checkCertificates(config: Config): Promise<Check[]> {
  return Promise.all(getLocations(config).map(checkPlace))
}

function getLocations({ publicUrl, storageUrl, mail, databaseUrl }: Config): Place[] {
  const locations: Place[] = []
  const add = (variable: string, url: URL, port: number, opening: Opening) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    locations.push({ variable, host, port: Number(url.port || port), opening })
  }
  if (publicUrl.startsWith('https:')) add('PUBLIC_URL', new URL(publicUrl), 443, 'tls')
  const endpoint = storageUrl === null ? null : parseStorageUrl(storageUrl).endpoint
  if (endpoint?.startsWith('https:')) add('STORAGE_URL', new URL(endpoint), 443, 'tls')
  if (mail !== null) {
    const url = new URL(mail.smtpUrl)
    if (url.protocol === 'smtps:') add('SMTP_URL', url, 465, 'tls')
    else if (!isLoopback(url.hostname)) add('SMTP_URL', url, 587, 'smtp')
  }
  if (databaseUrl !== null) {
    const url = new URL(databaseUrl)
    const mode = url.searchParams.get('sslmode') ?? 'disable'
    if (url.hostname !== '' && !['disable', 'allow', 'prefer'].includes(mode)) {
      add('DATABASE_URL', url, 5432, 'postgresql')
    }
  }
  return locations
}

async function checkPlace({ variable, host, port, opening }: Place): Promise<Check> {
  const name = 'certificate'
  const where = `${host}:${port} of ${variable}`
  const socket = net.connect({ host, port, signal: AbortSignal.timeout(timeoutMs) })
  socket.on('error', () => {}) // told by whoever waits
  try {
    await once(socket, 'connect')
    if (opening === 'postgresql') await askPostgresql(socket)
    if (opening === 'smtp') await askSmtp(socket)
    const secure = tls.connect({ socket, servername: net.isIP(host) === 0 ? host : '', rejectUnauthorized: false })
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    const { valid_to: until } = secure.getPeerCertificate()
    const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000)
    const validationError = secure.authorized ? null : String(secure.authorizationError)
    secure.destroy()
    if (days < 0) return { name, status: 'failure', detail: `that of ${where} ended ${until}. Renew it.` }
    if (validationError !== null) {
      const advice = 'Let it be issued by who is trusted here, or name who issued it in NODE_EXTRA_CA_CERTS.'
      return { name, status: 'warning', detail: `that of ${where} is not trusted (${validationError}). ${advice}` }
    }
    if (days < minDays) {
      return {
        name,
        status: 'warning',
        detail: `that of ${where} ends in ${days} days. See why it is not renewed by itself.`,
      }
    }
    return { name, status: 'ok', detail: `${where}, for ${days} days` }
  } catch (error) {
    const { code, name: kind, message } = error as NodeJS.ErrnoException
    const advice = 'Check that the address is right and that something answers there.'
    return { name, status: 'warning', detail: `${where} shows none (${code ?? kind}: ${message}). ${advice}` }
  } finally {
    socket.destroy()
  }
}

/** Asks for TLS as a client of PostgreSQL does (its manual, “SSL Session Encryption”). */
async function askPostgresql(socket: net.Socket): Promise<void> {
  socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
  if ((await nextBytes(socket)).toString() !== 'S') throw new Error('the server offers no TLS')
}

/** Asks for TLS as a mailer does (RFC 3207). */
async function askSmtp(socket: net.Socket): Promise<void> {
  for (const [greeting, code] of [
    [null, '220'],
    ['EHLO matricula.invalid', '250'],
    ['STARTTLS', '220'],
  ] as const) {
    if (greeting !== null) socket.write(`${greeting}\r\n`)
    const response = (await nextBytes(socket)).toString()
    if (!response.startsWith(code)) throw new Error(`the server answers ${response.slice(0, 3)} instead of ${code}`)
  }
}

async function nextBytes(socket: net.Socket): Promise<Buffer> {
  const [bytes] = (await once(socket, 'data', { signal: AbortSignal.timeout(timeoutMs) })) as [Buffer]
  return bytes
}
