import type { Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import pg from 'pg'

/** What `pg` has and its published types leave out. */
interface InsideOfClient {
  readonly host: string
  readonly port: number
  readonly ssl: unknown
  readonly sslNegotiation: unknown
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly stream: Socket }
}

interface InsideOfConnection {
  readonly stream: Socket
  on(event: string, listener: (error: Error) => void): void
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

const timeoutMs = 2_000

/** The socket under a client. */
export function getSocket(client: pg.ClientBase): Socket {
  return (client as unknown as InsideOfClient).connection.stream
}

const gathering = new WeakSet<Socket>()

/**
 * What is sent over a client from now on goes out in one piece once what has just happened is handled: each piece is a system call
 * that wakes the server, and costs more than most statements.
 */
export function sendTogether(client: pg.ClientBase): void {
  const socket = getSocket(client)
  if (gathering.has(socket)) return
  gathering.add(socket)
  socket.cork()
  setImmediate(() => {
    gathering.delete(socket)
    socket.uncork()
  })
}

/** Does something, and sends in one piece what it writes to a client. */
export function inOnePiece(client: pg.ClientBase, work: () => void): void {
  const socket = getSocket(client)
  socket.cork()
  try {
    work()
  } finally {
    socket.uncork()
  }
}

/** Fails everything that is under way on a client with an error, without waiting for the server. */
export function cutOff(client: pg.ClientBase, error: Error): void {
  getSocket(client).destroy(error)
}

/**
 * Asks the server to cancel what a client is doing, over a connection of its own, as the protocol has it (PostgreSQL manual,
 * "Canceling Requests in Progress"). Nothing tells whether there was something to cancel.
 */
export function requestCancel(client: pg.ClientBase): void {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as InsideOfClient
  const connection = new pg.Connection({ ssl, sslNegotiation } as object) as unknown as InsideOfConnection
  const { stream } = connection
  const send = () => connection.cancel(processID, secretKey)
  const isSafe = ssl !== undefined && ssl !== false
  connection.on('connect', () => (isSafe ? sslNegotiation !== 'direct' && connection.requestSsl() : send()))
  connection.on('sslconnect', send)
  connection.on('error', () => stream.destroy()) // it is asked again while nothing has come of it
  stream.setTimeout(timeoutMs, () => stream.destroy())
  stream.unref()
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}

/**
 * How far what has patience steps back where processors are short (`nice`, POSIX.1-2024): it gets a third of the time of each that
 * competes with it, and all that is left.
 */
const patientPriority = 5
const lowestPriority = 19

/** Lets the server's process behind a client, which is on this machine, step back before the others where that may be done. */
export function stepBack(client: pg.ClientBase): void {
  const { processID } = client as unknown as InsideOfClient
  try {
    setPriority(processID, Math.min(lowestPriority, getPriority(processID) + patientPriority))
  } catch {} // it has ended, or belongs to another user: then it works as fast as the others
}
