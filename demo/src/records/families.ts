import { composedName } from '@matricula/server/values/index'
import { type Country, countries, type Gender, type Place, type Relation } from '../countries/index.ts'
import { applicationMoment, type Plan, studentMoment } from '../plan.ts'
import type { Random } from '../random.ts'
import { day, getAcademicYear } from './calendar.ts'
import { emailAddress, getSurname, givenNames, type PersonName, phoneNumber } from './people.ts'

/** Somebody who is turned to for a student. */
export interface Relative {
  readonly contactId: string
  readonly relation: Relation
  readonly displayName: string
  readonly email: string | null
  readonly phone: string | null
}

/** A child or adult who studies or wants to. */
export interface Child extends PersonName {
  /** Midnight of the day of birth. */
  readonly born: number
}

/** People who share an address, a surname and those who are turned to. */
export interface Family {
  readonly index: number
  readonly country: Country
  readonly place: Place
  readonly address: string
  readonly postalCode: string
  /** When the institution first heard of them. */
  readonly since: number
  readonly relatives: readonly Relative[]
  /** How many of the children are students. */
  readonly students: number
  child(nth: number): Child
}

/** Of ten students in a row, how many belong to each family. */
const familySizes = [3, 2, 1, 1, 1, 1, 1] as const
const blockSize = 10

/** The family of a student, and which of its children the student is. */
export function familyOfStudent(plan: Plan, student: number): { family: Family; nth: number } {
  const block = Math.floor(student / blockSize)
  const locations = plan.random
    .of('families', block)
    .shuffled(familySizes.flatMap((size, family) => Array(size).fill(family)))
  const own = locations[student % blockSize] as number
  const members = locations.flatMap((family, position) => {
    const member = block * blockSize + position
    return family === own && member < plan.students ? [member] : []
  })
  const joined = studentMoment(plan, members[0] as number)
  const since = Math.min(joined, ...members.map((member) => applicationMoment(plan, member) ?? joined))
  const family = makeFamily(plan, block * familySizes.length + own, members.length, joined, since)
  return { family, nth: members.indexOf(student) }
}

/** The family of an applicant who has no student in it. */
export function familyOfApplicant(plan: Plan, application: number, moment: number): Family {
  const index = Math.ceil(plan.students / blockSize) * familySizes.length + application
  return makeFamily(plan, index, 1, moment, moment)
}

/** The academic year for which somebody comes who comes at a moment: from May on it is the next one. */
export function entryYear(moment: number): number {
  return getAcademicYear(moment + 92 * day)
}

function makeFamily(plan: Plan, index: number, students: number, joined: number, since: number): Family {
  const random = plan.random.of('family', index)
  const country = random.weighted(countries, ({ share }) => share)
  const location = random.pick(country.places)
  const surnames = [1, 2, 3, 4].map(() => random.pick(country.surnames))
  const start = random.below(100)
  const ages = getAges(random, students)
  const parents = getParents(random, ages[0] as number)
  const address = random.filled(random.pick(country.streets))
  const postalCode = random.filled(location.postalCode)
  const relatives = parents.map((relation, nth): Relative => {
    const name = relativeName(random, country, relation, surnames, start)
    return {
      contactId: plan.ids.of('contact', index * 8 + nth, since),
      relation,
      displayName: composedName(name.givenNames, name.familyNames),
      email: random.chance(0.85) ? emailAddress(random, name, index + 1) : null,
      phone: random.chance(0.93) || nth === 0 ? phoneNumber(random, country, location) : null,
    }
  })
  const childSurname = surnameOfChildren(country, surnames, parents)
  const child = (nth: number): Child => {
    const own = plan.random.of('child', index * 8 + nth)
    const gender = own.chance(0.5) ? 'Female' : 'Male'
    const birthYear = entryYear(joined) - (ages[nth] ?? 3)
    return {
      gender,
      givenNames: givenNames(own, country, gender, start, nth),
      familyNames: getSurname(country, gender, childSurname),
      born: Date.UTC(birthYear - 1, 8, 2) + own.below(365) * day,
    }
  }
  return { index, country, place: location, address, postalCode, since, relatives, students, child }
}

/** Ages of the children when the family comes, oldest first, with one more child than there are students. */
function getAges(random: Random, students: number): number[] {
  const isAlone = students === 1
  const oldest =
    isAlone && random.chance(0.16)
      ? random.between(23, 45)
      : isAlone && random.chance(0.3)
        ? random.between(17, 23)
        : random.between(3 * students, 17)
  const ages = [oldest]
  while (ages.length <= students) ages.push((ages.at(-1) as number) - random.between(2, 3))
  return ages
}

function getParents(random: Random, age: number): Relation[] {
  if (age >= 23) return [random.weighted(['spouse', 'mother', 'father'] as const, (one) => (one === 'spouse' ? 2 : 1))]
  const share = random.fraction()
  if (share < 0.03) return ['guardian']
  if (share < 0.06) return ['grandmother']
  if (share < 0.2) return ['mother']
  if (share < 0.25) return ['father']
  const parents: Relation[] = share < 0.85 ? ['mother', 'father'] : ['father', 'mother']
  return random.chance(0.12) ? [...parents, 'grandmother'] : parents
}

/** `surnames` are two of the father and two of the mother. */
function surnameOfChildren(country: Country, surnames: readonly string[], parents: readonly Relation[]): string {
  const [father, , mother, mothersSecond] = surnames
  if (country.surnameOrder === 'shared') return father as string
  if (parents.length === 1 && parents[0] === 'mother') return `${mother} ${mothersSecond}`
  return country.surnameOrder === 'father mother' ? `${father} ${mother}` : `${mother} ${father}`
}

function relativeName(
  random: Random,
  country: Country,
  relation: Relation,
  surnames: readonly string[],
  start: number,
): PersonName {
  const isMale = relation === 'father' || ((relation === 'guardian' || relation === 'spouse') && random.chance(0.5))
  const gender: Gender = isMale ? 'Male' : 'Female'
  const [father, fathersSecond, mother, mothersSecond] = surnames as [string, string, string, string]
  const isShared = country.surnameOrder === 'shared'
  const surname = {
    father: isShared ? father : `${father} ${fathersSecond}`,
    mother: isShared ? father : `${mother} ${mothersSecond}`,
    grandmother: isShared ? mother : `${mothersSecond} ${fathersSecond}`,
    guardian: isShared ? mother : `${fathersSecond} ${mothersSecond}`,
    spouse: isShared ? father : `${mothersSecond} ${fathersSecond}`,
  }[relation]
  const nth = ['mother', 'father', 'grandmother', 'guardian', 'spouse'].indexOf(relation)
  return {
    gender,
    givenNames: givenNames(random, country, gender, start + 3, nth),
    familyNames: getSurname(country, gender, surname),
  }
}
