import type { OneRosterOperation } from '@matricula/contract'
import type { FastifyReply } from 'fastify'
import type { Database } from '../../../database/index.ts'
import { type Chunks, sendText, sendWithBackpressure } from '../../../http/index.ts'
import type { RosterContext } from '../roster/roster-context.ts'
import { parseFields, parseListQuery } from './list-query.ts'
import { OneRosterError } from './oneroster-error.ts'
import { pageHeaders } from './page-headers.ts'
import { listStatements, type ObjectRow, objectStatement, type Selection } from './statements.ts'

/** A read of one operation. */
export interface ObjectRead {
  readonly database: Database
  readonly context: RosterContext
  readonly operation: OneRosterOperation
  readonly selection: Selection
  /** The address that was asked, absolute. */
  readonly url: string
  /** Records whom a response is about before it is sent. */
  readonly disclose: (rows: readonly ObjectRow[]) => Promise<void> | undefined
}

const mediaType = 'application/json; charset=utf-8'

/** Sends a list page by page of the database, so that a long one takes no more memory than a short one. */
export async function sendList(reply: FastifyReply, read: ObjectRead): Promise<FastifyReply> {
  const { database, context, operation, selection, url, disclose } = read
  const query = parseListQuery(url)
  const { rows, total } = listStatements(context, selection, query)
  const [counted] = await database.readBriefly<{ total: number }>(context.tenantId, total)
  reply.headers(pageHeaders({ url, ...query, total: counted?.total ?? 0 })).header('content-type', mediaType)
  if (reply.request.method === 'HEAD') return reply.send()
  if (query.offset >= (counted?.total ?? 0)) return sendText(reply, `{"${operation.key}":[]}`)
  const batches = database.readRows<ObjectRow>(context.tenantId, rows)
  return sendWithBackpressure(reply, toJsonObjects(operation.key, batches, disclose))
}

async function* toJsonObjects(
  key: string,
  batches: AsyncIterable<readonly ObjectRow[]>,
  disclose: ObjectRead['disclose'],
): Chunks {
  let before = `{"${key}":[`
  for await (const rows of batches) {
    if (rows.length === 0) continue
    await disclose(rows)
    yield before + rows.map(({ json }) => json).join(',')
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

/** Sends one object. Throws `unknownobject`. */
export async function sendObject(reply: FastifyReply, read: ObjectRead, id: string): Promise<FastifyReply> {
  const { database, context, operation, selection, url, disclose } = read
  const statement = objectStatement(context, selection, id, parseFields(url))
  const [row] = await database.readBriefly<ObjectRow>(context.tenantId, statement)
  if (row === undefined) throw unknownObject(operation.key)
  await disclose([row])
  reply.headers({ 'x-total-count': '1', 'content-type': mediaType })
  if (reply.request.method === 'HEAD') return reply.send()
  return sendText(reply, `{"${operation.key}":${row.json}}`)
}

/** The error for an id that the institution has not; the same for one of another institution. */
export function unknownObject(name: string): OneRosterError {
  return new OneRosterError('unknownobject', `There is no ${name} with this sourcedId.`)
}
