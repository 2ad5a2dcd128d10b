import { oneRosterDocument } from '@matricula/contract'
import type { RosterAddress } from './address.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  rostering: ['onerosterv1p2rostersservice_openapi3_v1p0.json', 'imsorv1p2_rostering_openapi3_v1p0.json'],
  gradebook: ['onerosterv1p2gradebookservice_openapi3_v1p0.json', 'imsorv1p2_gradebook_openapi3_v1p0.json'],
}

/** The OpenAPI document of a service, as it stands at an address; null where that is another one. */
export function findDiscoveryDocument(address: RosterAddress, origin: string): object | null {
  const { version, service, segments } = address
  const [folder, name = '', ...more] = segments
  if (version !== '1.2' || folder !== 'discovery' || more.length > 0 || service === 'resources') return null
  if (names[service]?.includes(name) !== true) return null
  const own = service === 'rostering' ? address.rosterPath : address.gradebookPath
  const prefix = address.slug === null ? '' : `/t/${address.slug}`
  return oneRosterDocument(service, { server: origin + own, tokenUrl: `${origin}${prefix}/oauth2/token` })
}
