import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildOpenApi, clientApi, eventTypes, type Operation, type ProblemKind, problems } from '@matricula/contract'

/** A file of the client that is made from the declarations. */
export interface GeneratedFile {
  readonly location: URL
  readonly content: string
}

/** Every file of the client that is made from the declarations, as it must read. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const folder = new URL('../../src/generated/', import.meta.url)
  return [
    { location: new URL('openapi.ts', folder), content: await typesOfDocument() },
    { location: new URL('declarations.ts', folder), content: declarations() },
  ]
}

/** The types of what is sent and answered, by openapi-typescript from the OpenAPI document. */
async function typesOfDocument(): Promise<string> {
  const { default: toNodes, astToString } = require('openapi-typescript') as OpenApiTypescript
  const document = slim(buildOpenApi({ publicUrl: 'https://matricula.example' }))
  return `${heading}${astToString(await toNodes(document, { silent: true, defaultNonNullable: false }))}`
}

/** What openapi-typescript exports that is used here. It is of `tooling/`, which a plain installation leaves out. */
interface OpenApiTypescript {
  default(document: unknown, options: { silent: boolean; defaultNonNullable: boolean }): Promise<unknown>
  astToString(nodes: unknown): string
}

const require = createRequire(fileURLToPath(new URL('../../../tooling/package.json', import.meta.url)))

/** Why the types cannot be made here, or null: the packages of `tooling/` are not installed. */
export function whyNotGenerated(): string | null {
  try {
    require.resolve('openapi-typescript')
    return null
  } catch {
    return 'the packages of tooling/ are not installed: npm run tooling'
  }
}

/** Facts of the document that are needed while the client runs, and the words that it lists for people alone. */
function declarations(): string {
  const operations = Object.entries<Operation>(clientApi).map(
    ([id, { method, path, idempotency }]) =>
      `  ${id}: { method: '${method}', path: '${path}', repeats: '${idempotency}' },`,
  )
  const members = Object.entries<ProblemKind>(problems).map(
    ([code, { extra = {} }]) => `  ${code}: ${Object.keys(extra).map(quoted).join(' | ') || 'never'}`,
  )
  return `${heading}/** Where each operation is, and how it treats repetition. */
export const operationTable = {
${operations.join('\n')}
} as const

/** What a problem has beside its standard members, by code. */
export interface ProblemMembers {
${members.join('\n')}
}

/** The types of events that there are. More may come. */
export type EventType =
${Object.keys(eventTypes)
  .map((type) => `  | '${type}'`)
  .join('\n')}
`
}

const heading = '// Made from the declarations by npm run generate. Not to be edited.\n\n'

const quoted = (text: string) => `'${text}'`

/** Members that say nothing to a program, or that the client deals with itself: one problem stands for all refusals. */
const superfluous = ['headers', 'example', 'examples', 'application/merge-patch+json', 'text/event-stream', 'webhooks']

function slim(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isHeader(item)).map((item) => slim(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([member]) => name === 'properties' || !superfluous.includes(member))
  const kept = name === 'responses' ? entries.filter(([status]) => /^2/.test(status)) : entries
  const slimmed = Object.fromEntries(kept.map(([member, part]) => [member, slim(part, member)]))
  if ('operationId' in slimmed) slimmed.description = slimmed.summary
  return slimmed
}

/** The headers of requests are the client's own business. */
function isHeader(item: unknown): boolean {
  const { $ref = '' } = (item ?? {}) as { $ref?: string }
  return $ref.startsWith('#/components/parameters/')
}
