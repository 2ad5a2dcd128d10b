import { gender, student, studentApplicant, user } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { endLostAccess } from '../../identity/users/index.ts'
import { mayDo, RecordError, type RecordOf, type RecordWork, type Rules } from '../../record-engine/index.ts'
import { clearEmptyTexts, findBirthDateError, getFullName } from '../contacts/index.ts'
import { welcomeUser } from '../organisation/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

type StudentDocument = RecordOf<typeof student>

function setName(document: StudentDocument, _work: RecordWork, before: StudentDocument | null): void {
  document.student_name = getFullName(document, before, before?.student_name ?? null)
}

function requireDatesInOrder(document: StudentDocument, work: RecordWork): void {
  const { date_of_birth: born, joining_date: joined, date_of_leaving: left, siblings } = document
  const early = siblings.find(({ date_of_birth: day }) => day !== null && day > work.today)
  const validationError =
    early === undefined
      ? findBirthDateError(born, work)
      : `Row #${early.idx}: the sibling’s Date of Birth, ${early.date_of_birth}, is in the future. Correct it.`
  if (validationError !== null) throw new RecordError('ValidationError', validationError)
  if (born !== null && born >= (joined ?? work.today)) {
    throw new RecordError(
      'ValidationError',
      `Date of Birth must be before the Joining Date: ${born} is not before ${joined ?? work.today}. Correct one of them.`,
    )
  }
  if (joined !== null && left !== null && joined > left) {
    throw new RecordError(
      'ValidationError',
      `Joining Date must not be after the Date of Leaving: ${joined} is after ${left}. Correct one of them.`,
    )
  }
  if (born !== null && left !== null && born >= left) {
    throw new RecordError(
      'ValidationError',
      `Date of Birth must be before the Date of Leaving: ${born} is not before ${left}. Correct one of them.`,
    )
  }
}

/**
 * A sibling who studies here is another student, and stands once.
 *
 * @throws RecordError `ValidationError`.
 */
export function requireSiblings(
  { name, siblings }: Pick<StudentDocument, 'siblings'> & { readonly name: string | null },
  _work: RecordWork,
): void {
  const seen = new Set<string>()
  for (const { idx, student: sibling } of siblings) {
    if (!sibling) continue
    if (sibling === name) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: ${sibling} is the student, and nobody is their own sibling.`,
      )
    }
    if (seen.has(sibling)) {
      throw new RecordError('ValidationError', `Row #${idx}: ${sibling} is among the siblings already. Remove the row.`)
    }
    seen.add(sibling)
  }
}

/** Two who write the same address at once wait for each other, because no index keeps it unique for both surfaces. */
async function lockEmailAddress(document: StudentDocument, work: RecordWork, before: StudentDocument | null) {
  const { student_email_id: email } = document
  if (email !== null && email !== before?.student_email_id)
    await takeAdvisoryLock(work.tx, `student with e-mail ${email.toLowerCase()}`)
}

/**
 * Gives a student with an address a user who is named by it, unless the institution makes none. Who has a user keeps it whatever becomes of
 * the address: whose account a student is, is changed by those alone who may write users. So it is they, too, who make a user for a student
 * who is there already, by saving the student: otherwise whoever writes the address would choose who reads the records.
 */
async function makeUser(document: StudentDocument, work: RecordWork, before: StudentDocument | null): Promise<void> {
  const email = document.student_email_id?.trim().toLowerCase() ?? ''
  const { user_creation_skip, welcome_new_students } = await loadEducationSettings(work)
  if (email === '' || user_creation_skip === 1 || document.user) return
  if ((await work.linked(user, email)) !== null) return
  if (before !== null && !mayDo(work.caller, user, 'write')) {
    if (email === before.student_email_id?.trim().toLowerCase()) return
    const message = `No user was made for ${email}: that takes the right to write users. Ask a System Manager to save the student.`
    work.messages.push({ message, indicator: 'orange' })
    return
  }
  const first_name = document.first_name?.slice(0, 140) ?? ''
  const made = await work.insert(user, {
    email,
    first_name,
    last_name: document.last_name?.slice(0, 140) ?? null,
    gender: (await work.linked(gender, document.gender))?.name ?? null,
    user_type: 'Website User',
    roles: [{ role: 'Student' }],
  })
  document.user = made.name
  if (welcome_new_students === 1) await welcomeUser(work, made.name)
}

async function requireFreeApplicant(document: StudentDocument, work: RecordWork, before: StudentDocument | null) {
  if (document.student_applicant === null || document.student_applicant === before?.student_applicant) return
  const applicant = await work.get(studentApplicant, document.student_applicant)
  if (applicant.student === null || applicant.student === before?.name) return
  const other = (await work.mayRead(student, applicant.student))
    ? `The student ${applicant.student}`
    : 'Another student'
  throw new RecordError('ValidationError', `${other} came of the applicant ${applicant.name} already.`)
}

/** An applicant who became a student is admitted; the application names the student, which is the only link of the two. */
async function admitApplicant(document: StudentDocument, work: RecordWork, before: StudentDocument | null) {
  const { student_applicant: applicant, name } = document
  const earlier = before?.student_applicant ?? null
  if (earlier !== null && earlier !== applicant) await work.put(studentApplicant, earlier, { student: null })
  if (applicant === null) return
  await work.put(studentApplicant, applicant, { student: name, application_status: 'Admitted' })
}

async function releaseApplicants({ name }: StudentDocument, work: RecordWork): Promise<void> {
  for (const applicant of await work.select(studentApplicant, sql`r.student = ${name}`)) {
    await work.put(studentApplicant, applicant.name, { student: null })
  }
}

/** Whoever logs in as nothing but this student does so no more: the user is disabled, and the sessions end. */
async function closeAccount({ name, user: account }: StudentDocument, work: RecordWork): Promise<void> {
  const found = account ? await work.find(user, account) : null
  if (found === null || found.enabled === 0 || found.roles.some(({ role }) => role !== 'Student')) return
  const [other] = await work.select(student, sql`r.user = ${account} and r.name <> ${name}`, sql`limit 1`)
  if (other !== undefined) return
  await work.put(user, found.name, { enabled: 0 })
  await endLostAccess(work.tx, found.name)
}

/** What was owed or paid stays in the books, so its student does too. */
async function requireNoPayments({ name }: RecordOf<typeof student>, work: RecordWork): Promise<void> {
  const [found] = await work.tx.query(sql`
    select from students s
     where s.tenant_id = ${work.tx.tenantId} and s.student_code = ${name}
       and exists (select from payments p where p.tenant_id = s.tenant_id and p.student_id = s.id)`)
  if (found === undefined) return
  throw new RecordError(
    'LinkExistsError',
    `Cannot delete ${name} because it is linked with payments, which stay in the books. Set its status to withdrawn instead.`,
  )
}

/** What holds for students, in upstream's order. */
export const studentRules: Rules<typeof student> = {
  validate: [
    clearEmptyTexts,
    setName,
    requireDatesInOrder,
    requireSiblings,
    lockEmailAddress,
    makeUser,
    requireFreeApplicant,
  ],
  afterSave: [admitApplicant],
  beforeDelete: [requireNoPayments, releaseApplicants, closeAccount],
}
