import type { BundleRow } from '../bundle-reader.ts'
import { isGone, isOff, readCell, readDay, readList, required } from '../bundle-values.ts'
import type { Unmapped } from '../import-target.ts'
import { readUnmapped } from '../row-metadata.ts'
import { type BundleState, stored } from './bundle-state.ts'
import { isEmailTaken, saveSharedEmail } from './shared-email.ts'

type Person = 'student' | 'instructor' | 'guardian'

/** Students with their demographics and guardians, and instructors. */
export async function importUsers(state: BundleState): Promise<void> {
  const roles = new Map<string, { readonly role: string; readonly org: string | null }>()
  for await (const row of state.bundle.rows('roles')) {
    await state.requireOrgs(row, 'orgSourcedId')
    const user = readCell(row, 'userSourcedId')
    const isPrimary = readCell(row, 'roleType')?.toLowerCase() !== 'secondary'
    if (user !== null && (isPrimary || !roles.has(user))) {
      roles.set(user, { role: readCell(row, 'role') ?? '', org: readCell(row, 'orgSourcedId') })
    }
  }
  const born = new Map<string, { readonly date_of_birth: string | null; readonly gender: string | null }>()
  for await (const row of state.bundle.rows('demographics')) {
    const user = readCell(row, 'sourcedId', 'userSourcedId')
    const sex = readCell(row, 'sex')?.toLowerCase()
    const gender = sex === undefined ? null : (genders[sex] ?? null)
    if (user !== null) born.set(user, { date_of_birth: readDay(row, state.faults, 'birthDate'), gender })
  }
  const agents: {
    readonly row: BundleRow
    readonly sourcedId: string
    readonly guardians: string[]
    readonly unmapped: Unmapped
  }[] = []
  for await (const row of state.bundle.rows('users')) {
    const sourcedId = required(row, state.faults, 'sourcedId')
    const given = required(row, state.faults, 'givenName')
    const family = required(row, state.faults, 'familyName')
    if (sourcedId === null || given === null || family === null) continue
    const person = getPerson(roles.get(sourcedId)?.role ?? readCell(row, 'role') ?? '')
    if (person === null) continue
    if (isGone(row)) {
      await state.endRow(stored[person], sourcedId)
      continue
    }
    await state.requireOrgs(row, 'orgSourcedIds', 'orgIds', 'primaryOrgSourcedId')
    state.present.user.add(sourcedId)
    if (isOff(row)) state.disabledUsers.add(sourcedId)
    const [org = null] = readList(readCell(row, 'primaryOrgSourcedId', 'orgSourcedIds', 'orgIds'))
    const department = await state.findDepartment(org ?? roles.get(sourcedId)?.org ?? null)
    const unmapped = await getUnmapped(state, row, person, sourcedId, department)
    const fields = getFields(row, person, { given, family, department }, born.get(sourcedId))
    if (person === 'student') await saveStudent(state, row, sourcedId, fields, unmapped)
    else await state.save(row, stored[person], sourcedId, fields, unmapped)
    if (person === 'student') {
      agents.push({
        row,
        sourcedId,
        guardians: [...new Set(readList(readCell(row, 'agentSourcedIds', 'agents')))],
        unmapped,
      })
    }
  }
  for (const { row, sourcedId, guardians, unmapped } of agents) {
    const names: { guardian: string }[] = []
    for (const each of guardians) {
      const name = await state.named(row, stored.guardian, 'agentSourcedIds', each)
      if (name !== null) names.push({ guardian: name })
    }
    if (names.length > 0) await state.save(row, stored.student, sourcedId, { guardians: names }, unmapped)
  }
}

/** Saves a student, also one who shares the e-mail address of another. */
async function saveStudent(
  state: BundleState,
  row: BundleRow,
  sourcedId: string,
  { student_email_id: email, ...fields }: Record<string, unknown>,
  unmapped: Unmapped,
): Promise<void> {
  const isShared = typeof email === 'string' && (await isEmailTaken(state, sourcedId, email))
  const own = email === undefined || isShared ? fields : { ...fields, student_email_id: email }
  const { unchanged } = state.counts
  const name = await state.save(row, stored.student, sourcedId, own, unmapped)
  if (name === null || !isShared || !(await saveSharedEmail(state, sourcedId, email))) return
  if (state.counts.unchanged === unchanged) return
  state.counts.unchanged -= 1
  state.counts.updated += 1
}

/** How the sexes of the vocabulary are called here. */
const genders: Readonly<Record<string, string>> = {
  male: 'Male',
  female: 'Female',
  other: 'Other',
  unspecified: 'Prefer not to say',
}

/**
 * What of a person our records have no field for. A user name or an identifier that somebody else has is left out, and so is a user name
 * that is an e-mail address: readers log people in by them.
 */
async function getUnmapped(
  state: BundleState,
  row: BundleRow,
  person: Person,
  sourcedId: string,
  department: string | null,
): Promise<Unmapped> {
  const { metadata, members: read } = readUnmapped(
    row,
    ...['username', 'identifier', 'userMasterIdentifier', 'preferredGivenName'],
    ...(person === 'student' ? [] : ['givenName', 'familyName']),
    ...(person === 'instructor' ? ['phone'] : []),
  )
  const members: Record<string, string> = { ...read }
  if (members.username?.includes('@')) delete members.username
  for (const name of ['username', 'identifier'] as const) {
    const value = members[name]
    if (value !== undefined && (await state.records.isUserMemberTaken(name, value, sourcedId))) delete members[name]
  }
  if (person !== 'instructor' && department !== null) members.department = department
  return { metadata, members: Object.keys(members).length === 0 ? null : members }
}

function getPerson(role: string): Person | null {
  const lower = role.toLowerCase()
  if (lower === 'student') return 'student'
  if (['teacher', 'aide', 'proctor'].includes(lower)) return 'instructor'
  return ['guardian', 'parent', 'relative'].includes(lower) ? 'guardian' : null
}

function getFields(
  row: BundleRow,
  person: Person,
  {
    given,
    family,
    department,
  }: { readonly given: string; readonly family: string; readonly department: string | null },
  facts: { readonly date_of_birth: string | null; readonly gender: string | null } | undefined,
): Record<string, unknown> {
  const email = readCell(row, 'email')
  const phone = readCell(row, 'sms', 'phone')
  const full = given === family ? given : `${given} ${family}`
  if (person === 'instructor') {
    return {
      instructor_name: full,
      ...(email !== null && { email }),
      ...(department !== null && { department }),
    }
  }
  if (person === 'guardian') {
    return {
      guardian_name: full,
      ...(email !== null && { email_address: email }),
      ...(phone !== null && { mobile_number: phone }),
    }
  }
  return {
    first_name: given,
    middle_name: readCell(row, 'middleName'),
    last_name: family,
    ...(email !== null && { student_email_id: email }),
    ...(phone !== null && { student_mobile_number: phone }),
    ...(isOff(row) && { enabled: 0 }),
    ...(facts !== undefined && { date_of_birth: facts.date_of_birth, gender: facts.gender }),
  }
}
