import { foldForSearch } from '@matricula/server/values/index'
import type { Country, Gender, Place } from '../countries/index.ts'
import type { Random } from '../random.ts'

/** A person as names tell. */
export interface PersonName {
  readonly givenNames: string
  readonly familyNames: string
  readonly gender: Gender
}

/**
 * The given names of somebody who is the n-th of a family, so that no two children of it are called alike. `start` is
 * the family's own place in the list.
 */
export function givenNames(random: Random, country: Country, gender: Gender, start: number, nth: number): string {
  const names = country.names[gender]
  const first = names[(start + nth * 5) % names.length] as string
  const second = names[(start + nth * 5 + 11) % names.length] as string
  const hasSecond = random.chance(country.secondName) && !`${first}${second}`.includes(' ')
  return hasSecond ? `${first} ${second}` : first
}

/** A surname in the form that the country gives to women and men. */
export function getSurname(country: Country, gender: Gender, surname: string): string {
  return gender === 'Female' && country.womansSurname !== undefined ? country.womansSurname(surname) : surname
}

const domains = ['example.com', 'example.org', 'example.net'] as const

/** An address on a domain that is kept for examples (RFC 2606). The number keeps namesakes apart. */
export function emailAddress(random: Random, { givenNames: given, familyNames }: PersonName, number: number): string {
  const [first = '', family = ''] = [given, familyNames].map((name) => asciiLetters(name.split(' ')[0] ?? ''))
  const name = random.pick([`${first}.${family}`, `${first}${family}`, `${first[0]}.${family}`, `${family}.${first}`])
  return `${name}${number}@${random.pick(domains)}`
}

/** A telephone number of a place, with its country's code. */
export function phoneNumber(random: Random, country: Country, location: Place): string {
  return random.filled(location.phone ?? country.phone)
}

function asciiLetters(text: string): string {
  return foldForSearch(text)
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replace(/[^a-z]/g, '')
}
