import type { Random } from '../random.ts'

export type Gender = 'Female' | 'Male'

/** How somebody stands to a student. */
export type Relation = 'mother' | 'father' | 'grandmother' | 'guardian' | 'spouse'

/**
 * What demo people of a country are made of. In patterns `#` stands for a digit, `*` for
 * one from 1 to 9, and `@` for a capital letter.
 */
export interface Country {
  /** The English name of ISO 3166. */
  readonly name: string
  readonly nationality: string
  /** Language tag of BCP 47. */
  readonly language: string
  /** How many of a hundred families live there. */
  readonly share: number
  readonly names: Readonly<Record<Gender, readonly string[]>>
  /** Probability that a person has two given names. */
  readonly secondName: number
  readonly nicknames: Readonly<Record<string, string>>
  readonly surnames: readonly string[]
  /** Whose surnames a child has, in order; `shared` is the one surname of the family. */
  readonly surnameOrder: 'father mother' | 'mother father' | 'shared'
  /** The form that a woman has of a surname. */
  readonly womansSurname?: (surname: string) => string
  readonly places: readonly Place[]
  /** Streets with their house numbers. */
  readonly streets: readonly string[]
  /** Telephone numbers of places that have no pattern of their own. */
  readonly phone: string
  readonly relations: Readonly<Record<Relation, string>>
  readonly documents: readonly IdentityDocument[]
}

export interface Place {
  readonly city: string
  readonly stateProvince: string
  readonly postalCode: string
  readonly phone?: string
}

/** A kind of identity document. Its numbers have the right form, and nothing else is right about them. */
export interface IdentityDocument {
  readonly type: string
  /** Youngest and oldest age of those who have one. */
  readonly ages: readonly [number, number]
  readonly number: string | ((holder: Holder, random: Random) => string)
}

export interface Holder {
  readonly givenNames: string
  readonly familyNames: string
  readonly gender: Gender
  /** `YYYY-MM-DD` */
  readonly dateOfBirth: string
}

/** The items of a text that separates them by commas. */
export function list(text: string): string[] {
  return text.split(',').map((item) => item.trim().replace(/\s+/g, ' '))
}
