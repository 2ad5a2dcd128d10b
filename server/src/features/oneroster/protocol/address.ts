import { type OneRosterOperation, type OneRosterService, oneRosterOperations } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'

/** An address of OneRoster, taken apart. */
export interface RosterAddress {
  /** The tenant in the path; null: the host or the key says whose it is. */
  readonly slug: string | null
  readonly version: '1.1' | '1.2'
  readonly service: OneRosterService
  /** The paths of the rostering and the gradebook service, as they were asked. */
  readonly rosterPath: string
  readonly gradebookPath: string
  /** What follows, decoded and without empty parts. */
  readonly segments: readonly string[]
}

const services: ReadonlySet<string> = new Set(['rostering', 'gradebook', 'resources'])

/** Reads an address below `/ims/oneroster`; null where no service is there. Doubled slashes and one at the end do not matter. */
export function parseAddress(url: string): RosterAddress | null {
  const path = (url.split('?')[0] as string).split('/').filter((part) => part !== '')
  const slug = path[0] === 't' ? (path[1] ?? '') : null
  const [ims, oneRoster, ...rest] = slug === null ? path : path.slice(2)
  if (ims !== 'ims' || oneRoster !== 'oneroster') return null
  const root = slug === null ? '/ims/oneroster' : `/t/${slug}/ims/oneroster`
  if (rest[0] === 'v1p1') {
    const own = `${root}/v1p1`
    return {
      slug,
      version: '1.1',
      service: 'rostering',
      rosterPath: own,
      gradebookPath: own,
      segments: decoded(rest.slice(1)),
    }
  }
  // What Google's instructions lead to: the address of the version before that of the service.
  const alias = rest[0] === 'v1p2' ? '/v1p2' : ''
  const [service = '', version, ...segments] = alias === '' ? rest : rest.slice(1)
  if (!services.has(service) || version !== 'v1p2') return null
  return {
    slug,
    version: '1.2',
    service: service as OneRosterService,
    rosterPath: `${root}${alias}/rostering/v1p2`,
    gradebookPath: `${root}${alias}/gradebook/v1p2`,
    segments: decoded(segments),
  }
}

function decoded(segments: readonly string[]): string[] {
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment)
    } catch {
      return segment
    }
  })
}

/** An operation at an address, with the parameters of its path. */
export interface Match {
  readonly operation: OneRosterOperation
  readonly parameters: Readonly<Record<string, string>>
}

const declared = oneRosterOperations.map((operation) => ({ operation, parts: operation.path.split('/').slice(1) }))

/** The operations at an address, whatever the method. */
export function findOperations({ version, service, segments }: RosterAddress): Match[] {
  return declared.flatMap(({ operation, parts }) => {
    const isThere = version === '1.1' ? operation.isInFirstVersion : operation.service === service
    if (!isThere || parts.length !== segments.length) return []
    const parameters: Record<string, string> = {}
    for (const [index, part] of parts.entries()) {
      const segment = segments[index] as string
      if (part.startsWith('{')) parameters[part.slice(1, -1)] = segment
      else if (part !== segment) return []
    }
    return [{ operation, parameters }]
  })
}

/**
 * The scheme and host under which a request reached the service: those of the public address where the host is the same or that
 * of an institution, else what the connection says.
 */
export function getOrigin(request: FastifyRequest, publicUrl: string, isHostOfTenant: boolean): string {
  const own = new URL(publicUrl)
  if (request.host === own.host) return own.origin
  return isHostOfTenant ? `${own.protocol}//${request.host}` : `${request.protocol}://${request.host}`
}
