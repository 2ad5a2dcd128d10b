import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { BackupSchedule } from '../backup/index.ts'
import type { AnalyticsSchedule } from '../features/imports/index.ts'
import { parseMailFrom, parseSmtpUrl } from '../mail/index.ts'
import { type Network, parseNetworks } from '../outbound-http/index.ts'
import { parseFilesKeys, parseScannerUrl, parseStorageUrl } from '../storage/index.ts'
import { parseDuration } from '../values/index.ts'

/** How the service is run. Everything comes from the environment; nothing else reads it. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Base of links that leave the service, without a slash at its end. */
  readonly publicUrl: string
  /** Null: the embedded database under `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Signs addresses and cookies. Null: generated once and stored under `dataDir`. */
  readonly secretKey: string | null
  /** `s3://…`. Null: files under `dataDir`. */
  readonly storageUrl: string | null
  /** The keys under which stored files are encrypted, the newest first. Null: they are stored plain. */
  readonly filesKey: string | null
  /** Null: no scheduled backups. */
  readonly backups: BackupSchedule | null
  /** Null: no scheduled analytics files. */
  readonly analytics: AnalyticsSchedule | null
  /** Where clamd listens. Null: files are not scanned. */
  readonly scannerUrl: string | null
  /** The server that takes mail, and whose mail it is. Null: no mail is sent. */
  readonly mail: { readonly smtpUrl: string; readonly mailFrom: string } | null
  /** Retention of mails after they were sent or given up, in days. */
  readonly mailKeepDays: number
  /** Where the APIs of card processors are, for stand-ins; null: at the processors, which are asked for their accounts only. */
  readonly cardGatewayUrl: string | null
  /** Networks of the operator's own that webhooks may call, without TLS too. */
  readonly webhookAllowedNetworks: readonly Network[]
  readonly workers: number
  /** Maximum number of database connections of all processes. Null: automatic. */
  readonly databaseConnections: number | null
  /** Shutdown delay: how long `/readyz` fails while requests are still served, until every proxy has noticed. */
  readonly drainSeconds: number
  readonly authFailuresPerMinute: number
  readonly metricsToken: string | null
  readonly trustedProxies: string | null
  /** Origins (RFC 6454) of other sites whose pages may call the Resource and Method API from a browser. */
  readonly allowedOrigins: readonly string[]
  /** The folder of an operator's own build of the student portal. Null: none is served. */
  readonly studentPortalDir: string | null
  /** How spans are sent to the collector that the variables of OpenTelemetry name. Null: none are kept. */
  readonly traces: { readonly protocol: 'http/protobuf' | 'http/json' } | null
  readonly logLevel: LogLevel
  readonly logFormat: 'pretty' | 'json'
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** An environment variable has an invalid value. The message names it and the allowed values. */
export class ConfigError extends Error {}

/** Reads the configuration. Throws `ConfigError` at the first wrong value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = (name: string) => environment[name]?.trim() || null
  const host = read('HOST') ?? '127.0.0.1'
  const port = wholeNumber('PORT', read('PORT'), 8080, 0, 65_535)
  const databaseUrl = findAddress('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:'])
  const secretKey = read('SECRET_KEY')
  if (secretKey !== null && secretKey.length < 32) {
    throw new ConfigError('SECRET_KEY must have at least 32 characters, such as the output of: openssl rand -base64 32')
  }
  if (secretKey === null && databaseUrl !== null) {
    throw new ConfigError(
      'SECRET_KEY is required with DATABASE_URL: at least 32 characters, the same for every process',
    )
  }
  const publicUrl = findAddress('PUBLIC_URL', read('PUBLIC_URL'), ['http:', 'https:'])
  return {
    host,
    port,
    publicUrl: (publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(/(?<!\/)\/+$/, ''),
    databaseUrl,
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    secretKey,
    storageUrl: checked(read('STORAGE_URL'), parseStorageUrl),
    filesKey: checked(read('FILES_KEY'), parseFilesKeys),
    backups: backupSchedule(read('BACKUP_EVERY'), read('BACKUP_TO'), read('BACKUP_KEEP')),
    analytics: analyticsSchedule(read('ANALYTICS_EVERY'), read('ANALYTICS_TO')),
    scannerUrl: checked(read('CLAMD_URL'), parseScannerUrl),
    mail: mailSettings(checked(read('SMTP_URL'), parseSmtpUrl), checked(read('MAIL_FROM'), parseMailFrom)),
    mailKeepDays: wholeNumber('MAIL_KEEP_DAYS', read('MAIL_KEEP_DAYS'), 90, 1, 36_500),
    cardGatewayUrl:
      findAddress('CARD_GATEWAY_URL', read('CARD_GATEWAY_URL'), ['http:', 'https:'])?.replace(/(?<!\/)\/+$/, '') ??
      null,
    webhookAllowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS', read('WEBHOOK_ALLOWED_NETWORKS')),
    workers: wholeNumber('WORKERS', read('WORKERS'), 1, 1, 256),
    databaseConnections: wholeNumberOrNull('DATABASE_CONNECTIONS', read('DATABASE_CONNECTIONS'), 1, 100_000),
    drainSeconds: wholeNumber('DRAIN_SECONDS', read('DRAIN_SECONDS'), 0, 0, 300),
    authFailuresPerMinute: wholeNumber(
      'AUTH_FAILURES_PER_MINUTE',
      read('AUTH_FAILURES_PER_MINUTE'),
      1000,
      1,
      1_000_000,
    ),
    metricsToken: read('METRICS_TOKEN'),
    trustedProxies: proxies('TRUSTED_PROXIES', read('TRUSTED_PROXIES')),
    allowedOrigins: origins('ALLOW_ORIGINS', read('ALLOW_ORIGINS')),
    studentPortalDir: folder(read('STUDENT_PORTAL_DIR')),
    traces: traceSettings(read),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL'), 'info', logLevels),
    logFormat: oneOf('LOG_FORMAT', read('LOG_FORMAT'), process.stdout.isTTY ? 'pretty' : 'json', ['pretty', 'json']),
  }
}

const minSecondsBetweenBackups = 60

function backupSchedule(every: string | null, to: string | null, keep: string | null): Config['backups'] {
  const max = wholeNumberOrNull('BACKUP_KEEP', keep, 1, 1_000_000)
  if (every === null && to === null && max === null) return null
  if (every === null || to === null) {
    throw new ConfigError(
      'BACKUP_EVERY and BACKUP_TO belong together: how often, such as 24h, and a folder or s3:// address',
    )
  }
  const everySeconds = getDuration('BACKUP_EVERY', every)
  if (everySeconds < minSecondsBetweenBackups) throw new ConfigError('BACKUP_EVERY must be 1m or more, such as 24h')
  return { everySeconds, to: parsePlace('BACKUP_TO', to), keep: max }
}

const minSecondsBetweenExports = 3600

function analyticsSchedule(every: string | null, to: string | null): Config['analytics'] {
  if (every === null && to === null) return null
  if (every === null || to === null) {
    throw new ConfigError(
      'ANALYTICS_EVERY and ANALYTICS_TO belong together: how often, such as 24h, and a folder or s3:// address',
    )
  }
  const everySeconds = getDuration('ANALYTICS_EVERY', every)
  if (everySeconds < minSecondsBetweenExports) throw new ConfigError('ANALYTICS_EVERY must be 1h or more, such as 24h')
  return { everySeconds, to: parsePlace('ANALYTICS_TO', to) }
}

/** A folder as its whole path, or the address of a part of a bucket as it is. Throws `ConfigError`. */
function parsePlace(name: string, text: string): string {
  return text.startsWith('s3://') ? (checked(text, (each) => parseStorageUrl(each, name)) as string) : resolve(text)
}

function getDuration(name: string, text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    throw new ConfigError(`${name}: ${(error as Error).message}`)
  }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/**
 * The variables of OpenTelemetry (its specification, “Environment Variables”), which its packages then read
 * themselves.
 */
function traceSettings(read: (name: string) => string | null): Config['traces'] {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
  const endpoints = names.map((name) => findAddress(name, read(name), ['http:', 'https:']))
  const isWanted = endpoints.some((endpoint) => endpoint !== null)
  if (!isWanted || read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none') return null
  oneOf('OTEL_TRACES_SAMPLER', read('OTEL_TRACES_SAMPLER'), 'parentbased_always_on', samplers)
  const protocols = ['http/protobuf', 'http/json'] as const
  const [name, other] = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const
  const fallback = oneOf(other, read(other), 'http/protobuf', protocols)
  return { protocol: oneOf(name, read(name), fallback, protocols) }
}

function mailSettings(smtpUrl: string | null, mailFrom: string | null): Config['mail'] {
  if (smtpUrl === null) return null
  if (mailFrom !== null) return { smtpUrl, mailFrom }
  throw new ConfigError('MAIL_FROM is required with SMTP_URL: the address that mail comes from')
}

function wholeNumber(name: string, text: string | null, fallback: number, min: number, max: number): number {
  if (text === null) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`)
}

function wholeNumberOrNull(name: string, text: string | null, min: number, max: number): number | null {
  return text === null ? null : wholeNumber(name, text, min, min, max)
}

function proxies(name: string, text: string | null): string | null {
  const isNetwork = (part: string) => {
    const [address = '', bits] = part.trim().split('/')
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits))
  }
  if (text === null || text.split(',').every(isNetwork)) return text
  throw new ConfigError(`${name} must be addresses or networks separated by commas, such as 10.0.0.0/8,127.0.0.1`)
}

function networks(name: string, text: string | null): Network[] {
  try {
    return text === null ? [] : parseNetworks(text)
  } catch (error) {
    const example = '10.20.0.0/16,fd00:20::/32'
    throw new ConfigError(
      `${name} must be addresses or networks separated by commas, such as ${example}: ${(error as Error).message}`,
    )
  }
}

/** A folder by its absolute path; what is in it is read by whoever serves it. */
function folder(path: string | null): string | null {
  return path === null ? null : resolve(path)
}

/** Each is written as browsers send it: scheme, host, and a port that is not the scheme's own. */
function origins(name: string, text: string | null): string[] {
  const parts = (text ?? '').split(',').flatMap((part) => part.trim() || [])
  const isOrigin = (part: string) =>
    URL.canParse(part) && ['http:', 'https:'].includes(new URL(part).protocol) && new URL(part).origin === part
  if (parts.every(isOrigin)) return parts
  throw new ConfigError(
    `${name} must be origins separated by commas, without a path, such as https://portal.example,http://localhost:5173`,
  )
}

function oneOf<Value extends string>(
  name: string,
  text: string | null,
  fallback: Value,
  values: readonly Value[],
): Value {
  if (text === null) return fallback
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw new ConfigError(`${name} must be one of ${values.join(', ')}`)
}

function findAddress(name: string, text: string | null, protocols: string[]): string | null {
  if (text === null) return null
  // `http:///x` would become the host x.
  const isWeb = protocols.includes('http:')
  const hasHost = !isWeb || /^https?:\/\/[^\s\\/?#]/i.test(text)
  if (hasHost && URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  throw new ConfigError(`${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
}

/** The same address, once it is known that its reader takes it. */
function checked(text: string | null, parse: (text: string) => unknown): string | null {
  if (text === null) return null
  try {
    parse(text)
    return text
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}
