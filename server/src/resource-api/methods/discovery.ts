import { RecordError } from '../../record-engine/index.ts'
import { mayCall } from '../protocol/record-calls.ts'
import { type AnyMethod, type ReadingMethod, readingMethod } from '../protocol/record-method.ts'

const address = '/api/v2/discovery'
const maxFound = 50

/** A method in a list of them. */
const summarize = ({ path, allowGuest, summary }: AnyMethod) => ({
  path,
  allow_guest: allowGuest === true,
  description: summary,
})

/** A method with its parameters. */
const describe = (method: AnyMethod) => ({
  type: 'method',
  path: method.path,
  name: method.path.split('.').at(-1) ?? method.path,
  http_methods: method.verbs ?? ['GET', 'POST', 'PUT', 'DELETE'],
  allow_guest: method.allowGuest === true,
  params: Object.entries(method.parameters).map(([name, { type, required, about }]) => ({
    name,
    required: required === true,
    type,
    ...(about !== undefined && { description: about }),
  })),
  endpoint: `/api/v2/method/${method.path}`,
  docstring: method.summary,
})

/** What tells clients which methods there are: those that the caller may call. */
export function discoveryMethods(methods: readonly AnyMethod[]): readonly ReadingMethod[] {
  const sorted = [...methods].sort((one, other) => (one.path < other.path ? -1 : 1))
  const declare = { rights: 'public', isForStudents: true, verbs: ['GET'] } as const
  return [
    readingMethod({
      ...declare,
      path: 'frappe.api.discovery.root',
      summary: 'How many methods there are, and where they are listed: /api/v2/discovery.',
      parameters: {},
      read: async ({ caller }) => ({
        type: 'discovery',
        resources: { methods: sorted.filter((method) => mayCall(caller, method)).length },
        links: {
          self: address,
          search: `${address}/search?q={query}`,
          methods: `${address}/method`,
          method: `${address}/method/{method}`,
        },
      }),
    }),
    readingMethod({
      ...declare,
      path: 'frappe.api.discovery.search',
      summary: 'The methods whose path or purpose has all words that are searched for: /api/v2/discovery/search.',
      parameters: { q: { type: 'string' } },
      read: async ({ caller }, { q }) => {
        const parts = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
        const matches = ({ path, summary }: AnyMethod) => {
          const searched = `${path} ${summary}`.toLowerCase()
          return parts.every((part) => searched.includes(part))
        }
        const found = sorted.filter((method) => matches(method) && mayCall(caller, method))
        const results = found.slice(0, maxFound).map((method) => ({ type: 'method', ...summarize(method) }))
        return { query: q ?? '', results }
      },
    }),
    readingMethod({
      ...declare,
      path: 'frappe.api.discovery.methods',
      summary: 'The methods that the caller may call: /api/v2/discovery/method.',
      parameters: {},
      read: async ({ caller }) => ({
        type: 'method_index',
        methods: sorted.filter((method) => mayCall(caller, method)).map(summarize),
      }),
    }),
    readingMethod({
      ...declare,
      path: 'frappe.api.discovery.method',
      summary: 'A method with its parameters: /api/v2/discovery/method/{method}.',
      parameters: { method: { type: 'string', required: true } },
      read: async ({ caller }, { method: path }) => {
        const found = sorted.find((method) => method.path === path && mayCall(caller, method))
        if (found !== undefined) return describe(found)
        const text = `There is no method ${JSON.stringify(path.slice(0, 140))} for you. ${address}/method lists those that are.`
        throw new RecordError('DoesNotExistError', text, { includesException: true })
      },
    }),
  ]
}
