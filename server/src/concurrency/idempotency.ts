import { hash } from 'node:crypto'
import { idempotencyRetentionHours } from '@matricula/contract'
import canonicalize from 'canonicalize'
import { type Database, literal, ResultTooLarge, type Sql, sql, type Transaction } from '../database/index.ts'
import { Problem } from '../errors/index.ts'
import { findBatched, loadBatched } from './batch-loader.ts'

/** A request that carries an Idempotency-Key. */
export interface KeyedRequest {
  readonly tenantId: string
  /** Whose key it is: the id of an API key or of a user. */
  readonly callerId: string
  readonly key: string
  readonly operation: string
  readonly path: string
  readonly body: unknown
}

/** An answer as it is kept, and given again to the same request. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
  readonly location: string | null
  readonly entityTag: string | null
}

/** The answer to a keyed request; `replayed` when it is the one of an earlier request. */
export interface KeyedResponse {
  readonly response: StoredResponse
  readonly replayed: boolean
}

/** Runs work in a transaction. */
type Transact = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>

/** Statuses of refusals that are kept: those that the handler decided on what it found. */
const storedRejections = new Set([404, 409, 412, 422])

/**
 * Runs `work` once for a key. Its answer commits in the transaction of the work itself; the same request afterwards gets
 * it again (`replayed`). A refusal of the work is kept as well, without its writes.
 *
 * Throws `idempotency_key_in_use` while another request with the key runs, and `idempotency_key_reused` when the key was
 * used for a different operation, path or body.
 */
export async function once(
  database: Database,
  request: KeyedRequest,
  work: (tx: Transaction) => Promise<StoredResponse>,
  answerOf: (problem: Problem) => StoredResponse,
  transact: Transact = (produce) => database.transaction(request.tenantId, produce),
): Promise<KeyedResponse> {
  const fingerprint = getFingerprint(request)
  const keeping =
    (produce: (tx: Transaction) => Promise<StoredResponse>) =>
    async (tx: Transaction): Promise<KeyedResponse> => {
      // Sent together with what the work sends first, of which nothing is done where it fails.
      const claimed = claim(tx, request)
      claimed.catch(() => {}) // fails the commit
      const response = await produce(tx).catch(async (error: unknown) => {
        // What is too large is told before everything that was sent with it is answered.
        if (!(error instanceof ResultTooLarge)) await claimed
        throw error
      })
      keep(tx, { request, fingerprint, response })
      return { response, replayed: false }
    }
  for (let look = 1; ; look += 1) {
    try {
      return await transact(keeping(work)).catch((error: unknown) => {
        if (!(error instanceof Problem) || !storedRejections.has(error.status)) throw error
        return database.transaction(
          request.tenantId,
          keeping(async () => answerOf(error)),
        )
      })
    } catch (error) {
      const { code } = error as { readonly code?: string }
      if (code === beingProcessed) throw inUseProblem()
      if (code !== outcomeKept) throw error
      const stored = await findStored(database, request)
      if (stored !== null) return stored
      // Its time was over just then.
      if (look === maxLooks) throw inUseProblem()
    }
  }
}

/**
 * Takes a key within a transaction that is made for it alone, and keeps its outcome with what the transaction does. Where the key was
 * used before, the commit fails, and `keyError` says why.
 */
export function storeWithin(
  tx: Transaction,
  request: KeyedRequest,
  response: () => Promise<StoredResponse>,
): Promise<void> {
  const claimed = claim(tx, request)
  claimed.catch(() => {}) // fails the commit
  return response().then(
    (stored) => keep(tx, { request, fingerprint: getFingerprint(request), response: stored }),
    async (error: unknown) => {
      await claimed
      throw error
    },
  )
}

/** Whether an error says that the outcome of a key is kept already, or that it is being worked for; null where it says neither. */
export function keyError(error: unknown): 'kept' | 'in use' | null {
  const { code } = error as { readonly code?: string }
  return code === outcomeKept ? 'kept' : code === beingProcessed ? 'in use' : null
}

/** What `claim_idempotency_key` fails with (SQLSTATE). */
const outcomeKept = 'MK001'
const beingProcessed = 'MK002'

const maxLooks = 3

function inUseProblem(): Problem {
  const detail = 'A request with this key is still being processed. Repeat it in a second.'
  return new Problem('idempotency_key_in_use', detail, {}, { 'retry-after': '1' })
}

/**
 * The answer that is kept for a key, or null: a look before work that has to be prepared outside its transaction, in which
 * `once` then looks again. Throws `idempotency_key_reused`.
 */
export async function findStored(database: Database, request: KeyedRequest): Promise<KeyedResponse | null> {
  const [row] = await database.read<OutcomeRow>(
    request.tenantId,
    sql`
    select operation, fingerprint, status, body, location, entity_tag
      from idempotency_keys
     where tenant_id = ${request.tenantId} and api_key_id = ${request.callerId} and key = ${request.key}
       and expires_at > now()`,
  )
  return row === undefined ? null : { response: toResponse(row, getFingerprint(request)), replayed: true }
}

interface OutcomeRow {
  operation: string
  fingerprint: Buffer
  status: number
  body: string
  location: string | null
  entity_tag: string | null
}

/** Takes the lock of whoever processes a request with a key; fails where that is done, or being done. */
function claim(tx: Transaction, request: KeyedRequest): Promise<unknown> {
  const { tenantId, callerId, key } = request
  if (tx.whole === undefined) {
    return tx.query(
      sql`select claim_idempotency_key(${tenantId}::uuid, ${callerId}::uuid, ${key}, ${getLock(request)}::bigint)`,
    )
  }
  return findBatched(tx, 'keys', request, async (requests, whole) => {
    const [callers, keys, locks] = [
      requests.map((each) => each.callerId),
      requests.map((each) => each.key),
      requests.map(getLock),
    ]
    await whole.query(sql`
      select claim_idempotency_key(${tenantId}::uuid, caller, wanted, lock)
        from unnest(${callers}::uuid[], ${keys}::text[], ${locks}::bigint[]) as key (caller, wanted, lock)`)
    return requests
  })
}

function getLock({ tenantId, callerId, key }: KeyedRequest): string {
  return hash('sha256', `${tenantId}\n${callerId}\n${key}`, 'buffer').readBigInt64BE().toString()
}

/** A kept outcome as the answer to a request. Throws `idempotency_key_reused` when it was another request. */
function toResponse(row: OutcomeRow, fingerprint: Buffer): StoredResponse {
  if (!row.fingerprint.equals(fingerprint)) {
    const detail = `This key was used for ${row.operation} with another path or body. Use a new key.`
    throw new Problem('idempotency_key_reused', detail, { originalOperation: row.operation })
  }
  return { status: row.status, body: row.body, location: row.location, entityTag: row.entity_tag }
}

/** An outcome that is to be kept. */
interface Outcome {
  readonly request: KeyedRequest
  readonly fingerprint: Buffer
  readonly response: StoredResponse
}

/**
 * Keeps the outcome of a key. Fails the commit when another request with the key was faster; the transaction then runs
 * again and finds its answer.
 */
function keep(tx: Transaction, outcome: Outcome): void {
  loadBatched(tx, 'kept answers', outcome, (_, outcomes) => {
    const [only, ...others] = outcomes
    return only !== undefined && others.length === 0 ? storeStatement(only) : storeAllStatement(outcomes)
  })
}

function storeStatement({ request, fingerprint, response }: Outcome): Sql {
  return sql`
    insert into idempotency_keys (tenant_id, api_key_id, key, operation, fingerprint,
                                  status, body, location, entity_tag, expires_at)
    values (${request.tenantId}, ${request.callerId}, ${request.key}, ${request.operation}, ${fingerprint},
            ${response.status}, ${response.body}, ${response.location}, ${response.entityTag},
            now() + make_interval(hours => ${idempotencyRetentionHours}))`
}

function storeAllStatement(all: readonly Outcome[]): Sql {
  const rows = all.map(({ request, fingerprint, response }) => ({
    api_key_id: request.callerId,
    key: request.key,
    operation: request.operation,
    fingerprint: fingerprint.toString('hex'),
    status: response.status,
    body: response.body,
    location: response.location,
    entity_tag: response.entityTag,
  }))
  return sql`
    insert into idempotency_keys (tenant_id, api_key_id, key, operation, fingerprint,
                                  status, body, location, entity_tag, expires_at)
    select ${(all[0] as Outcome).request.tenantId}, api_key_id, key, operation, decode(fingerprint, 'hex'),
           status, body, location, entity_tag, now() + make_interval(hours => ${idempotencyRetentionHours})
      from json_to_recordset(${JSON.stringify(rows)}::json) as kept (
             api_key_id uuid, key text, operation text, fingerprint text, status smallint, body text, location text, entity_tag text)`
}

/** SHA-256 over the operation, the path and the body in canonical JSON (RFC 8785): the order of keys does not matter. */
function getFingerprint(request: KeyedRequest): Buffer {
  const body = canonicalize(request.body) ?? ''
  return hash('sha256', `${request.operation}\n${request.path}\n${body}`, 'buffer')
}

/** Forgets so many of the keys of a tenant whose time is over, those first that are over for longest. Returns how many. */
export async function forgetExpiredKeys(database: Database, tenantId: string, max: number): Promise<number> {
  const rows = await database.transaction(tenantId, (tx) =>
    tx.query(sql`
      delete from idempotency_keys
       where tenant_id = ${tenantId}
         and (api_key_id, key) in (select api_key_id, key from idempotency_keys
                                    where tenant_id = ${tenantId} and expires_at <= now()
                                    order by expires_at limit ${literal(max)})
      returning 1 as gone`),
  )
  return rows.length
}

const bare = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * The key of an Idempotency-Key header: bare, or a quoted string of Structured Fields (RFC 9651 §3.3.3); 1 to 255
 * printable ASCII characters. Throws `idempotency_key_missing` or `idempotency_key_invalid`.
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string {
  if (header === undefined) {
    throw new Problem('idempotency_key_missing', 'This operation needs an Idempotency-Key header, such as a new UUID.')
  }
  const text = typeof header === 'string' ? header.trim() : ''
  const inner = quoted.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1')
  const key = text.startsWith('"') ? inner : text
  if (key === undefined || key.length > 255 || !bare.test(key)) {
    throw new Problem('idempotency_key_invalid', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.')
  }
  return key
}
