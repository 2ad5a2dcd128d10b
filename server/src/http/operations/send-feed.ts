import type { Operation } from '@matricula/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import { type Chunks, sendText, sendWithBackpressure } from '../lifecycle/backpressure.ts'
import type { Feed, FeedPage, OperationRequest } from './implement.ts'
import type { Envelope } from './mounting.ts'

/** The services of a feed. */
export interface FeedContext {
  readonly database: Database
  readonly envelope: Envelope
  /** Runs work in a scheduler slot of the tenant; a waiting follower holds none. */
  readonly share: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The caller with its current rights. Throws when it may not call the operation any more. */
  readonly callerNow: () => Promise<OperationCaller>
  /** Aborted when the process is stopping. */
  readonly stopping: AbortSignal
  /** The followers in this process. */
  readonly followers: Followers
}

/** Maximum followers per tenant and process: each holds a connection. */
const maxFollowers = 2_000

/** Retry-After beyond that maximum, in seconds. */
const retrySeconds = 30

/** Counts followers by tenant. */
export class Followers {
  readonly #counts = new Map<string, number>()

  /** Counts a follower until the signal is aborted. Throws `rate_limit_exceeded` beyond the maximum. */
  add(tenantId: string, end: AbortSignal): void {
    const count = this.#counts.get(tenantId) ?? 0
    if (count >= maxFollowers) {
      const detail = `${maxFollowers} connections follow the events of this institution already. Close some, or share one.`
      throw new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': String(retrySeconds) })
    }
    this.#counts.set(tenantId, count + 1)
    end.addEventListener('abort', () => {
      const left = (this.#counts.get(tenantId) ?? 1) - 1
      if (left > 0) this.#counts.set(tenantId, left)
      else this.#counts.delete(tenantId)
    })
  }
}

/** The default heartbeat of a stream. */
const defaultBeat = { milliseconds: 15_000, frame: ':\n\n' }

/** Interval of the authorization check while nothing happens, in milliseconds. */
const idleCheckMs = 15_000

/** Interval of the authorization check while events arrive, in milliseconds: the age of the cached tokens. */
const activeCheckMs = 1_000

/** How long a client may take to read the end of a stream on shutdown, in milliseconds. */
const closeTimeoutMs = 1_000

/** Reconnection time of the stream, in milliseconds. */
const reconnectionMs = 2_000

/**
 * Sends the items after a position: at once, when there are some within the seconds of `wait` (long polling), or as a
 * stream of server-sent events (WHATWG HTML §9.2) where the request accepts that.
 */
export async function sendFeed(
  feed: Feed<Operation>,
  context: FeedContext,
  initial: OperationRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let current = initial
  const read = (after?: string) => context.share(() => feed.read(context.database, current, after))
  const requireAllowed = async () => {
    const caller = await context.callerNow()
    current = { ...initial, context: { ...initial.context, tenant: caller.tenant, caller } }
  }
  const end = buildEndSignal(reply, context.stopping)
  const stays = acceptsStream(request) || secondsToWait(initial, request) > 0
  if (stays && !end.aborted) context.followers.add(initial.context.tenant.id, end)
  const reading = { feed, initial, read, requireAllowed, end }
  if (acceptsStream(request)) return sendStream(reading, request, reply)
  const page = await readWithin(reading, secondsToWait(initial, request))
  const { records, next, hasMore } = page
  const body = JSON.stringify({ ...context.envelope.ofRecord(records), next, hasMore })
  return sendText(reply.code(200).header('content-type', 'application/json; charset=utf-8'), body)
}

interface Reading {
  readonly feed: Feed<Operation>
  readonly initial: OperationRequest
  readonly read: (after?: string) => Promise<FeedPage<unknown>>
  /** Continues with the current rights of the caller. Throws where it may not continue. */
  readonly requireAllowed: () => Promise<void>
  /** Aborted when the client disconnects or the process shuts down. */
  readonly end: AbortSignal
}

function secondsToWait({ query }: OperationRequest, { method }: FastifyRequest): number {
  const { after, wait = 0 } = query as { readonly after?: string; readonly wait?: number }
  return method === 'HEAD' || after === 'latest' ? 0 : wait
}

async function readWithin(
  { feed, initial, read, requireAllowed, end }: Reading,
  seconds: number,
): Promise<FeedPage<unknown>> {
  const until = performance.now() + seconds * 1000
  let page = await read()
  for (;;) {
    const left = until - performance.now()
    if (page.records.length > 0 || page.hasMore || left <= 0 || end.aborted) return page
    await waitForItems(feed, initial, page.next, left, end)
    await requireAllowed()
    page = await read(page.next)
  }
}

async function sendStream(reading: Reading, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  reply.header('cache-control', 'no-store')
  reply.header('x-accel-buffering', 'no') // else a proxy buffers events
  // Errors are sent before the stream begins.
  const first = await reading.read(lastEventId(request))
  if (request.method === 'HEAD') return reply.send('')
  // A client that does not read must not delay the shutdown.
  reading.end.addEventListener('abort', () => setTimeout(() => reply.raw.destroy(), closeTimeoutMs).unref())
  const backpressure = { timeoutMs: 30_000, minBytesPerSecond: 32 * 1024, maxDurationMs: null }
  return sendWithBackpressure(reply, getFrames(reading, first), backpressure)
}

async function* getFrames({ feed, initial, read, requireAllowed, end }: Reading, first: FeedPage<unknown>): Chunks {
  // With the start position, so that a client that disconnects before the first event misses none.
  yield `retry: ${reconnectionMs}\nid: ${first.next}\n\n`
  let page = first
  const { beat = defaultBeat } = feed
  let beatAt = performance.now() + beat.milliseconds
  let checkAt = performance.now() + idleCheckMs
  for (;;) {
    if (page.records.length > 0) yield page.records.map((record) => getFrame(feed.getPosition(record), record)).join('')
    if (!page.hasMore) {
      const hasMore = await waitForItems(feed, initial, page.next, Math.min(beatAt, checkAt) - performance.now(), end)
      page = { ...page, records: [], hasMore }
    }
    if (end.aborted) return
    if (page.hasMore || performance.now() >= checkAt) {
      if (!(await isStillAllowed(requireAllowed))) return
      checkAt = performance.now() + (page.hasMore ? activeCheckMs : idleCheckMs)
    }
    if (performance.now() >= beatAt) {
      yield beat.frame
      beatAt = performance.now() + beat.milliseconds
    }
    if (page.hasMore) page = await read(page.next)
  }
}

function getFrame(position: string, record: unknown): string {
  return `id: ${position}\ndata: ${JSON.stringify(record)}\n\n`
}

async function isStillAllowed(requireAllowed: () => Promise<void>): Promise<boolean> {
  try {
    await requireAllowed()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Waits for items after a position: true when there may be some; false after the time or at the end. */
async function waitForItems(
  feed: Feed<Operation>,
  initial: OperationRequest,
  next: string,
  milliseconds: number,
  end: AbortSignal,
): Promise<boolean> {
  const over = new AbortController()
  const abort = () => over.abort()
  const timer = setTimeout(abort, Math.max(0, milliseconds))
  end.addEventListener('abort', abort)
  if (end.aborted) abort()
  try {
    await feed.wait(initial, next, over.signal)
    return !over.signal.aborted
  } finally {
    clearTimeout(timer)
    end.removeEventListener('abort', abort)
  }
}

function buildEndSignal({ raw }: FastifyReply, stopping: AbortSignal): AbortSignal {
  const end = new AbortController()
  const abort = () => end.abort()
  if (raw.closed || stopping.aborted) abort()
  stopping.addEventListener('abort', abort)
  raw.once('close', () => {
    stopping.removeEventListener('abort', abort)
    abort()
  })
  return end.signal
}

/** Whether the request accepts a stream of events (RFC 9110 §12.5.1), and names it before JSON. */
function acceptsStream({ headers }: FastifyRequest): boolean {
  const types = (headers.accept ?? '')
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
  const named = types.filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  return (
    named.find(([type]) => type === 'text/event-stream' || type === 'application/json')?.[0] === 'text/event-stream'
  )
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (typeof id === 'string' && /^\d{1,18}$/.test(id)) return id
  throw validationProblem([
    { in: 'header', name: 'Last-Event-ID', code: 'pattern', detail: 'must be the id of an event of this stream, once' },
  ])
}
