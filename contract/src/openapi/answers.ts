import { type DoorKind, type Operation, Pagination, problemsOf, WalkPagination } from '../operation.ts'
import { type ProblemCode, problems } from '../problems.ts'
import type { Json, JsonObject } from '../schema.ts'
import { answerHeaders, refusalHeaders } from './headers.ts'
import { isConditionalRead } from './parameters.ts'
import type { PublishedSchemas } from './schemas.ts'

const problemReference = { $ref: '#/components/schemas/Problem' }

/** All responses of an operation, by status: its successes, then its problems. */
export function answersOf(operation: Operation, schemas: PublishedSchemas, door: DoorKind): JsonObject {
  const statuses: SuccessStatus[] = operation.mayCreate ? [200, 201] : [operation.status]
  const answers: JsonObject = {}
  for (const status of statuses) answers[status] = success(operation, status, schemas)
  if (isConditionalRead(operation)) {
    answers[304] = {
      description: 'The record is still the one that `If-None-Match` names.',
      headers: answerHeaders(operation, 304),
    }
  }
  for (const [status, codes] of refusalsByStatus(operation, door)) answers[status] = refusal(operation, codes)
  return answers
}

type SuccessStatus = Operation['status']

function success(operation: Operation, status: SuccessStatus, schemas: PublishedSchemas): JsonObject {
  if (status === 204) return { description: 'Removed.', headers: answerHeaders(operation, status) }
  const record = schemas.publish(operation.record, 'answer')
  const isRecord = operation.shape === 'record'
  const data = isRecord
    ? { ...record, description: 'The record.' }
    : { type: 'array', items: record, description: 'The records, in the order of the list.' }
  const members = { data, ...membersBeside(operation, schemas) }
  return {
    description: successInWords(operation, status),
    headers: answerHeaders(operation, status),
    content: {
      'application/json': {
        schema: { type: 'object', required: Object.keys(members), properties: members },
        example: answerExample(operation),
      },
      ...Object.fromEntries(
        (operation.media?.types ?? []).map((type) => [
          type,
          { schema: { type: 'string', description: 'The same, as a file.' }, example: '' },
        ]),
      ),
      ...(operation.shape === 'feed' && {
        'text/event-stream': {
          schema: {
            type: 'string',
            description: 'Server-sent events (WHATWG HTML §9.2), each with the JSON of one `data` item.',
          },
          example: streamExample(operation),
        },
      }),
    },
  }
}

/** The members of a response beside its data. */
function membersBeside({ shape }: Operation, schemas: PublishedSchemas): JsonObject {
  const where = (schema: typeof Pagination | typeof WalkPagination) => ({
    pagination: { ...schemas.publish(schema, 'answer'), description: 'Where the page stands in its list.' },
  })
  switch (shape) {
    case 'record':
      return {}
    case 'feed':
      return {
        next: { type: 'string', description: 'The position to send as `after` next time, also where `data` is empty.' },
        hasMore: { type: 'boolean', description: 'Whether there is more already.' },
      }
    case 'walk':
      return where(WalkPagination)
    default:
      return where(Pagination)
  }
}

function streamExample({ record }: Operation): string {
  const { position, ...rest } = (record as unknown as { examples: [{ position: string }] }).examples[0]
  return `id: ${position}\ndata: ${JSON.stringify({ position, ...rest })}\n\n`
}

function successInWords(operation: Operation, status: SuccessStatus): string {
  if (operation.shape === 'page') return 'A page of the list.'
  if (operation.shape === 'list') return 'The whole list.'
  if (operation.shape === 'walk') return 'A part of the list.'
  if (operation.shape === 'feed') return 'What happened after the position.'
  if (status === 201)
    return operation.mayCreate && operation.file === undefined ? 'Created: no record had this externalId.' : 'Created.'
  return operation.method === 'GET' ? 'The record.' : 'The record as it is now.'
}

/** The example response, built from the examples of the record and the body. */
function answerExample(operation: Operation): JsonObject {
  const examples = (operation.record as { examples?: JsonObject[] }).examples ?? []
  const [fullest = {}] = examples
  if (operation.shape === 'feed') return { data: [fullest], next: fullest.position as string, hasMore: false }
  if (operation.shape === 'walk') return { data: [fullest], pagination: { page: 1, limit: 20 } }
  if (operation.shape !== 'record') {
    const limit = operation.shape === 'page' ? 20 : 1
    return { data: [fullest], pagination: { page: 1, limit, total: 1, totalPages: 1 } }
  }
  return { data: operation.method === 'DELETE' ? (examples.at(-1) as JsonObject) : afterWrite(operation, fullest) }
}

/** The record as it reads when the example of the body was written. */
function afterWrite(operation: Operation, record: JsonObject): JsonObject {
  const sent = (operation.body as { examples?: JsonObject[] } | undefined)?.examples?.[0] ?? {}
  if (Object.keys(sent).some((name) => !(name in record))) return record
  const fields = (operation.record as { properties?: Record<string, { format?: string }> }).properties ?? {}
  const written = Object.entries(sent)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]): [string, Json] =>
      fields[name]?.format === 'date-time' ? [name, new Date(value as string).toISOString()] : [name, value],
    )
  return { ...record, ...Object.fromEntries(written) }
}

function refusalsByStatus(operation: Operation, door: DoorKind): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of problemsOf(operation, door).sort((one, other) => problems[one].status - problems[other].status)) {
    const { status } = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

function refusal(operation: Operation, codes: readonly ProblemCode[]): JsonObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${problems[code].when}`).join('\n'),
    headers: refusalHeaders(operation, codes),
    content: {
      'application/problem+json': {
        schema: problemReference,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}
