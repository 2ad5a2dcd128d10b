import {
  DatabaseUnavailable,
  EmbeddedPostgresError,
  MigrationError,
  PooledSessions,
  TooFewConnections,
} from '../database/index.ts'
import { ConfigError } from './config.ts'

/** An error that the operator can act on; the message says how. */
const forOperator = [ConfigError, EmbeddedPostgresError, MigrationError, PooledSessions, TooFewConnections]

/** Whether the message of an error was written for whoever runs the service. */
export function isForOperator(error: unknown): boolean {
  return forOperator.some((kind) => error instanceof kind)
}

/**
 * What is in the way of a connection to the database, in a sentence that names DATABASE_URL and says what to do; null
 * where the error tells of something else.
 */
export function databaseObstacle(error: unknown): string | null {
  const cause = error instanceof DatabaseUnavailable ? (error.cause ?? error) : error
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string }
  const found = obstacles[code] ?? byMessage.find(([pattern]) => pattern.test(message))?.[1]
  if (found !== undefined) return `The database cannot be reached. ${found}`
  return certificates.test(code) ? `The database cannot be reached. ${untrusted}` : null
}

const late = 'The host of DATABASE_URL does not answer. Check the network and the address.'

/** By the codes of the system and of PostgreSQL (manual, appendix A). */
const obstacles: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at the address of DATABASE_URL. Start the server, or mend the address.',
  ENOENT: 'There is no socket at the address of DATABASE_URL. Start the server, or mend the address.',
  EACCES: 'The socket at the address of DATABASE_URL may not be used. Check who may, or use another address.',
  ECONNRESET: 'The server of DATABASE_URL hangs up. Its log says why.',
  ENOTFOUND: 'The host of DATABASE_URL is not known. Mend the address.',
  EAI_AGAIN: 'The host of DATABASE_URL cannot be looked up now. Check the network, or mend the address.',
  ETIMEDOUT: late,
  EHOSTUNREACH: 'No way leads to the host of DATABASE_URL. Check the network and the address.',
  ENETUNREACH: 'No way leads to the host of DATABASE_URL. Check the network and the address.',
  '28P01': 'The user or the password in DATABASE_URL is not the right one.',
  '28000':
    'The server does not let the user of DATABASE_URL in. Check the user, whether TLS is asked for (sslmode), and the server’s pg_hba.conf.',
  '3D000': 'The server has no database of the name in DATABASE_URL. Create it, or mend the address.',
  '42501': 'The user of DATABASE_URL lacks a right that it needs. Connect as the owner of the database.',
  '57P03': 'The server of DATABASE_URL is starting or stopping. Try again shortly.',
  '08006': 'A node of the cluster does not answer: matricula doctor names it. Start it, or add another in its place.',
  '53300': 'All connections of the server are taken. Raise max_connections, or end what holds them.',
}

const byMessage: readonly (readonly [RegExp, string])[] = [
  [
    /does not support SSL/,
    'The server of DATABASE_URL takes no TLS. Let it, or leave sslmode out of DATABASE_URL where the network is your own.',
  ],
  [/timeout expired|timeout exceeded when trying to connect/, late],
  [
    /password must be a string|no password supplied/,
    'DATABASE_URL has no password, and the server asks for one. Add it behind the user.',
  ],
  [/Connection terminated/, 'The server of DATABASE_URL hangs up. Its log says why.'],
]

/** Codes of OpenSSL and Node for certificates that are not trusted. */
const certificates = /CERT|^UNABLE_TO_|^ERR_(TLS|SSL)_|^EPROTO$/

const untrusted =
  'The certificate of the server of DATABASE_URL is not trusted, or is of another host. Give the one that signed it with sslrootcert, or mend the host.'
