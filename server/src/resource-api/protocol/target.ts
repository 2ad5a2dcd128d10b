import { RecordError } from '../../record-engine/index.ts'
import type { Arguments } from './call.ts'

/** Version 2 puts every result under `data`; version 1 the results of methods under `message`. */
export type Version = 1 | 2

/** The target of a path and a verb. */
export type Target =
  | {
      readonly version: Version
      readonly action: 'method'
      readonly method: string
      /** The arguments that the path names. */
      readonly named?: Arguments
    }
  | TypeTarget
  | { readonly version: Version; readonly action: 'create'; readonly type: string }
  | {
      readonly version: Version
      readonly action: 'read' | 'update' | 'delete' | 'copy'
      readonly type: string
      readonly name: string
    }
  | {
      readonly version: Version
      readonly action: 'runMethod'
      readonly type: string
      readonly name: string
      /** Null where an argument names it. */
      readonly method: string | null
    }

/** Information about a type. */
export interface TypeTarget {
  readonly version: Version
  readonly action: 'list' | 'count' | 'meta'
  readonly type: string
}

type Actions = Readonly<Record<string, Target>>

/**
 * Routes the decoded segments of a path, without the tenant's prefix, and a verb to a target. Throws
 * `DoesNotExistError` for an unknown path and `MethodNotAllowed` for a verb that it does not take.
 */
export function getTarget(segments: readonly string[], verb: string): Target {
  const [api, ...rest] = segments
  const version = rest[0] === 'v2' ? 2 : 1
  const actions = api !== 'api' ? {} : version === 2 ? secondVersion(rest.slice(1)) : firstVersion(rest)
  const verbs = Object.keys(actions)
  if (verbs.length === 0) {
    throw new RecordError('DoesNotExistError', `There is no such address: ${shorten(`/${segments.join('/')}`)}.`)
  }
  const isQueried = version === 2 && actions.GET !== undefined && takesQuery(actions.GET)
  const target = actions[verb === 'HEAD' || (verb === 'QUERY' && isQueried) ? 'GET' : verb]
  if (target !== undefined) return target
  const further = [...(verbs.includes('GET') ? ['HEAD'] : []), ...(isQueried ? ['QUERY'] : []), 'OPTIONS']
  const allow = [...verbs, ...further].sort().join(', ')
  throw new RecordError('MethodNotAllowed', `This address takes ${allow}.`, { headers: { allow } })
}

/** Whether what is read may be asked for in a body, by the method QUERY of version 2. */
function takesQuery({ action }: Target): boolean {
  return action === 'list' || action === 'count' || action === 'method' || action === 'runMethod'
}

function firstVersion(path: readonly string[]): Actions {
  const [kind, first = '', ...rest] = path[0] === 'v1' ? path.slice(1) : path
  // Segments after the method are ignored.
  if (kind === 'method' && first !== '') return methodActions(1, first)
  if (kind === 'resource' && first !== '') return recordActions(1, first, rest.join('/'))
  return {}
}

function secondVersion([kind, first = '', ...rest]: readonly string[]): Actions {
  if (kind === 'discovery') return discoveryActions(first, rest)
  if (first === '') return {}
  switch (kind) {
    case 'method': {
      if (rest.length === 0 && bulkMethods.includes(first)) return { POST: viewMethod(first) }
      const method = rest.join('/')
      return methodActions(2, method === '' ? first : `${controllerOf(first)}.${method}`)
    }
    case 'document': {
      const [called = ''] = rest
      if (rest.length === 1 && bulkMethods.includes(called)) {
        return { ...recordActions(2, first, called), POST: viewMethod(`${called}_docs`, { doctype: first }) }
      }
      if (rest.length > 1 && rest.at(-1) === 'copy') {
        return { GET: { version: 2, action: 'copy', type: first, name: rest.slice(0, -1).join('/') } }
      }
      const at = rest.lastIndexOf('method')
      if (at < 1 || at !== rest.length - 2) return recordActions(2, first, rest.join('/'))
      const target = { version: 2, action: 'runMethod', type: first } as const
      const named = { ...target, name: rest.slice(0, at).join('/'), method: rest[at + 1] as string }
      return { GET: named, POST: named }
    }
    case 'doctype':
      if (rest.length === 1 && rest[0] === 'search') return { GET: viewMethod('search', { doctype: first }) }
      if (rest.length !== 1 || (rest[0] !== 'meta' && rest[0] !== 'count')) return {}
      return { GET: { version: 2, action: rest[0], type: first } }
    default:
      return {}
  }
}

const bulkMethods = ['bulk_update', 'bulk_delete']

/** A method that a path of version 2 stands for, by the name that it has upstream. */
function viewMethod(name: string, named: Arguments = {}, folder = 'v2'): Target {
  return { version: 2, action: 'method', method: `frappe.api.${folder}.${name}`, named }
}

function discoveryActions(first: string, rest: readonly string[]): Actions {
  const named = rest.join('/')
  if (first === '') return { GET: viewMethod('root', {}, 'discovery') }
  if (first === 'search' && named === '') return { GET: viewMethod('search', {}, 'discovery') }
  if (first !== 'method') return {}
  const target =
    named === '' ? viewMethod('methods', {}, 'discovery') : viewMethod('method', { method: named }, 'discovery')
  return { GET: target }
}

function methodActions(version: Version, method: string): Actions {
  const target = { version, action: 'method', method } as const
  // PATCH is rejected by the method itself.
  const verbs = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
  return Object.fromEntries(verbs.map((verb) => [verb, target]))
}

function recordActions(version: Version, type: string, name: string): Actions {
  if (name === '') return { GET: { version, action: 'list', type }, POST: { version, action: 'create', type } }
  const update = { version, action: 'update', type, name } as const
  return {
    GET: { version, action: 'read', type, name },
    PUT: update,
    DELETE: { version, action: 'delete', type, name },
    ...(version === 2 ? { PATCH: update } : { POST: { version, action: 'runMethod', type, name, method: null } }),
  }
}

/** The module path of a type's methods upstream: version 2 names them by the type alone. */
function controllerOf(type: string): string {
  const noun = type.toLowerCase().replace(/[ -]/g, '_')
  return `education.education.doctype.${noun}.${noun}`
}

function shorten(text: string): string {
  return text.length > 140 ? `${text.slice(0, 140)}…` : text
}
