import { brazil } from './brazil.ts'
import { colombia } from './colombia.ts'
import type { Country } from './country.ts'
import { germany } from './germany.ts'
import { india } from './india.ts'
import { kenya } from './kenya.ts'
import { mexico } from './mexico.ts'
import { philippines } from './philippines.ts'
import { poland } from './poland.ts'
import { spain } from './spain.ts'
import { unitedStates } from './united-states.ts'

export type { Country, Gender, Place, Relation } from './country.ts'

/** Where the demo families live. */
export const countries: readonly Country[] = [
  mexico,
  colombia,
  brazil,
  unitedStates,
  spain,
  germany,
  poland,
  india,
  kenya,
  philippines,
]
