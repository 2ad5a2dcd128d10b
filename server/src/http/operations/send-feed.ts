import type { Operation } from '@matricula/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import { type Chunks, sendText, sendWithBackpressure } from '../lifecycle/backpressure.ts'
import type { Feed, FeedPage, OperationRequest } from './implement.ts'
import type { Envelope } from './mounting.ts'

/** What a feed is sent with. */
export interface FeedContext {
  readonly database: Database
  readonly envelope: Envelope
  /** Works in the tenant's share of the process. Whoever waits has none. */
  readonly share: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Who calls, with what such a one may do by now. Throws the problem of a caller who may not call any more what it has called. */
  readonly callerNow: () => Promise<OperationCaller>
  /** Aborted when the process is stopping. */
  readonly stopping: AbortSignal
  /** Who follows the feed in this process. */
  readonly followers: Followers
}

/** How many follow the feed of one tenant at once in a process: each holds a connection that others may need. */
const maxFollowers = 2_000

/** How soon one who found too many should try again, in seconds. */
const retrySeconds = 30

/** Those who follow or wait, by tenant. */
export class Followers {
  readonly #counts = new Map<string, number>()

  /** Counts one of a tenant until the signal is aborted. Throws `rate_limit_exceeded` where there are too many. */
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

/** How a stream shows that it lives, where a feed says nothing else. */
const usualBeat = { milliseconds: 15_000, frame: ':\n\n' }

/** After how long in which nothing happened it is asked again whether the caller may go on, in milliseconds. */
const longestUnchecked = 15_000

/** How soon after something happened it is asked once more whether the caller may go on: what is known of a token is so old. */
const checkMilliseconds = 1_000

/** How long a client may take for the end of a stream when the service stops, in milliseconds. */
const lastMilliseconds = 1_000

/** How long a client should wait before it connects again, in milliseconds. */
const retryMilliseconds = 2_000

/**
 * Answers with what comes after a position: at once, when there is something within the seconds of `wait`, or as a stream of
 * server-sent events (WHATWG HTML §9.2) where the request accepts that.
 */
export async function sendFeed(
  feed: Feed<Operation>,
  context: FeedContext,
  asked: OperationRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let current = asked
  const read = (after?: string) => context.share(() => feed.read(context.database, current, after))
  const requireAllowed = async () => {
    const caller = await context.callerNow()
    current = { ...asked, context: { ...asked.context, tenant: caller.tenant, caller } }
  }
  const end = endOf(reply, context.stopping)
  const stays = acceptsStream(request) || secondsToWait(asked, request) > 0
  if (stays && !end.aborted) context.followers.add(asked.context.tenant.id, end)
  const reading = { feed, asked, read, requireAllowed, end }
  if (acceptsStream(request)) return sendStream(reading, request, reply)
  const page = await readWithin(reading, secondsToWait(asked, request))
  const { records, next, hasMore } = page
  const body = JSON.stringify({ ...context.envelope.ofRecord(records), next, hasMore })
  return sendText(reply.code(200).header('content-type', 'application/json; charset=utf-8'), body)
}

interface Reading {
  readonly feed: Feed<Operation>
  readonly asked: OperationRequest
  readonly read: (after?: string) => Promise<FeedPage<unknown>>
  /** Reads from then on with what the caller may do by now. Throws where it may not go on. */
  readonly requireAllowed: () => Promise<void>
  /** Aborted when the client is gone or the process is stopping. */
  readonly end: AbortSignal
}

function secondsToWait({ query }: OperationRequest, { method }: FastifyRequest): number {
  const { after, wait = 0 } = query as { readonly after?: string; readonly wait?: number }
  return method === 'HEAD' || after === 'latest' ? 0 : wait
}

async function readWithin(
  { feed, asked, read, requireAllowed, end }: Reading,
  seconds: number,
): Promise<FeedPage<unknown>> {
  const until = performance.now() + seconds * 1000
  let page = await read()
  for (;;) {
    const left = until - performance.now()
    if (page.records.length > 0 || page.hasMore || left <= 0 || end.aborted) return page
    await waitFor(feed, asked, page.next, left, end)
    await requireAllowed()
    page = await read(page.next)
  }
}

async function sendStream(reading: Reading, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  reply.header('cache-control', 'no-store')
  reply.header('x-accel-buffering', 'no') // else a proxy keeps events until it has many
  // What is refused is refused before the stream begins.
  const first = await reading.read(lastEventId(request))
  if (request.method === 'HEAD') return reply.send('')
  // Whoever takes nothing keeps nobody from stopping.
  reading.end.addEventListener('abort', () => setTimeout(() => reply.raw.destroy(), lastMilliseconds).unref())
  const backpressure = { timeoutMs: 30_000, minBytesPerSecond: 32 * 1024, longestMilliseconds: null }
  return sendWithBackpressure(reply, getFrames(reading, first), backpressure)
}

async function* getFrames({ feed, asked, read, requireAllowed, end }: Reading, first: FeedPage<unknown>): Chunks {
  // With where it begins, so that one who is cut off before the first event misses none.
  yield `retry: ${retryMilliseconds}\nid: ${first.next}\n\n`
  let page = first
  const { beat = usualBeat } = feed
  let beatAt = performance.now() + beat.milliseconds
  let checkAt = performance.now() + longestUnchecked
  for (;;) {
    if (page.records.length > 0) yield page.records.map((record) => getFrame(feed.getPosition(record), record)).join('')
    if (!page.hasMore) {
      const hasMore = await waitFor(feed, asked, page.next, Math.min(beatAt, checkAt) - performance.now(), end)
      page = { ...page, records: [], hasMore }
    }
    if (end.aborted) return
    if (page.hasMore || performance.now() >= checkAt) {
      if (!(await isStillAllowed(requireAllowed))) return
      checkAt = performance.now() + (page.hasMore ? checkMilliseconds : longestUnchecked)
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

/** Waits until there may be something after a position: true; false where the time, or all of it, was over before. */
async function waitFor(
  feed: Feed<Operation>,
  asked: OperationRequest,
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
    await feed.wait(asked, next, over.signal)
    return !over.signal.aborted
  } finally {
    clearTimeout(timer)
    end.removeEventListener('abort', abort)
  }
}

function endOf({ raw }: FastifyReply, stopping: AbortSignal): AbortSignal {
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
