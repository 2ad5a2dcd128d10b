import { type Disclosed, type DisclosureSurface, disclosedByOperations } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import { type DisclosureLog, idsIn } from '../../changes/index.ts'
import type { OperationRequest } from './implement.ts'

/** The header in which the MCP server names itself (Model Context Protocol). */
const assistantHeader = 'x-matricula-client'

/** What an operation discloses; null where it has no personal data. */
export function findDisclosed(operationId: string): Disclosed | null {
  return disclosedByOperations[operationId] ?? null
}

/** Records the reading of one record or of a list. Returns a promise where the response must wait for it. */
export function recordDisclosure(
  log: DisclosureLog,
  operationId: string,
  disclosed: Disclosed,
  { context, params, query }: OperationRequest,
  request: FastifyRequest,
  records: readonly unknown[],
  isList: boolean,
): Promise<void> | undefined {
  if (records.length === 0) return undefined
  const ids: string[] = []
  for (const record of records) idsIn(record, disclosed.ids, ids)
  if (disclosed.parameters !== undefined) idsIn({ ...query, ...(params as object) }, disclosed.parameters, ids)
  return log.add({
    context,
    surface: disclosed.surface ?? getSurface(request, context.caller.person !== undefined),
    operation: operationId,
    disclosed,
    ids,
    count: records.length,
    filter: isList ? query : null,
  })
}

/** Records the parts of a streamed response before each is sent. */
export async function* disclosing<Part>(
  parts: AsyncIterable<Part>,
  record: (part: Part) => Promise<void> | undefined,
): AsyncGenerator<Part, void, void> {
  for await (const part of parts) {
    await record(part)
    yield part
  }
}

function getSurface({ headers }: FastifyRequest, isPerson: boolean): DisclosureSurface {
  if (isPerson) return 'console'
  return headers[assistantHeader] === 'mcp' ? 'mcp' : 'client_api'
}
