/** Kinds of demo programs: they differ in what is charged and in how a year is divided. */
export type ProgramKind = 'school' | 'vocational' | 'university'

export type CatalogueStatus = 'active' | 'inactive' | 'archived'

/** A program of the demo institution. */
export interface CatalogueProgram {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly kind: ProgramKind
  readonly educationLevel: string
  readonly organizationProfile: string
  readonly status: CatalogueStatus
  readonly modality: 'on_site' | 'online' | 'hybrid'
  /** Youngest and oldest age of those who study it, at the beginning of an academic year. */
  readonly ages: readonly [number, number]
  readonly years: number
  /** How often it is chosen by those who have the age for it. */
  readonly weight: number
  /** Tuition for a month, in US dollars. */
  readonly tuition: number
  /** The academic year in which this edition began, counted from the present one. */
  readonly begins: number
  /** Codes of its courses, in order. */
  readonly courses: readonly string[]
}

/** A course: code, name, credits, hours, description. */
export type CatalogueCourse = readonly [
  code: string,
  name: string,
  credits: number | null,
  hours: number,
  description: string,
  status?: CatalogueStatus,
]
