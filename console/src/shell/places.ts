import { navigation } from '@matricula/contract/navigation'
import type { Session } from '../session/session.tsx'

/** A part of the navigation that has something for this person. */
export interface PlaceGroup {
  readonly id: (typeof navigation)[number]['id']
  readonly types: readonly string[]
}

/** Where somebody may go: by right, in the order of the navigation; what no group names comes with the set-up. */
export function placesOf({ rights, may }: Pick<Session, 'rights' | 'may'>): PlaceGroup[] {
  const named = new Set(navigation.flatMap(({ types }) => types))
  const rest = rights.map(({ type }) => type).filter((type) => !named.has(type) && may(type, 'read'))
  return navigation
    .map(({ id, types }) => {
      const own = types.filter((type) => may(type, 'read'))
      return { id, types: id === 'setup' ? [...own, ...rest.sort()] : own }
    })
    .filter(({ types }) => types.length > 0)
}
