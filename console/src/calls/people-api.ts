import { call } from './http.ts'

/** An application or a student to which a person is linked. */
export interface PersonLink {
  readonly id: string
  readonly entityType: 'application' | 'student'
  readonly entityLabel: string
  /** The name that the person had when it was linked, as the audit has it. */
  readonly linkedAs: string | null
  /** Whether that name is not like the present one. */
  readonly hasOtherName: boolean
}

/** Which links belong to another person. */
export interface Split {
  readonly name: string
  readonly linkIds: readonly string[]
  readonly email?: string
  readonly phone?: string
}

/** A person who was made by a split, by the name of the record. */
interface MadePerson {
  readonly guardian: string
  readonly displayName: string
}

const getPath = (guardian: string) => `/console/v1/people/${encodeURIComponent(guardian)}`

/** To what a guardian is linked, the oldest first. Throws `CommandError`, as all of these do. */
export async function linksOfPerson(guardian: string): Promise<PersonLink[]> {
  return (await call('GET', `${getPath(guardian)}/links`)).body.data.links
}

/** Makes another person of some links of a guardian. The key is that of the intention, so that a repeated one makes one. */
export async function splitPerson(key: string, guardian: string, split: Split): Promise<MadePerson[]> {
  const headers = { 'idempotency-key': key }
  return (await call('POST', `${getPath(guardian)}/split`, { body: split, headers })).body.data.made
}
