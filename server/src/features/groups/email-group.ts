import { emailGroup, emailGroupMember, guardian, student, studentGroup } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { isMemberOn } from '../membership/index.ts'

async function requireNewAddress(document: RecordOf<typeof emailGroupMember>, work: RecordWork): Promise<void> {
  document.email = document.email?.trim().toLowerCase() ?? null
  const { email_group, email, name } = document
  await takeAdvisoryLock(work.tx, `email group ${email_group}`)
  const [other] = await work.select(
    emailGroupMember,
    sql`r.email_group = ${email_group} and r.email = ${email} and r.name <> ${name}`,
    sql`limit 1`,
  )
  if (other === undefined) return
  throw new RecordError('UniqueValidationError', `${email} is in the Email Group ${email_group} already.`)
}

/** The number of those who are written to stands in the group. */
async function count(work: RecordWork, group: string | null): Promise<void> {
  if (group === null || (await work.linked(emailGroup, group)) === null) return
  const [members] = await work.tx.query<{ total: number }>(sql`
    select count(*) as total from email_group_members
     where tenant_id = ${work.tx.tenantId} and email_group = ${group} and unsubscribed = 0`)
  await work.put(emailGroup, group, { total_subscribers: members?.total ?? 0 })
}

/** Lists of e-mail addresses, and the addresses. */
export const emailGroupRecords: readonly RecordDefinition[] = [
  defineRecord(emailGroupMember, {
    rules: { validate: [requireNewAddress], afterSave: [(document, work) => count(work, document.email_group)] },
  }),
]

/** The e-mail addresses of the guardians of a group's active students. */
async function loadGuardians(work: RecordWork, group: string): Promise<string[]> {
  const found = await work.tx.query<{ email: string }>(sql`
    select distinct lower(trim(g.email_address)) as email
      from student_groups s
      join student_groups_students m on m.tenant_id = s.tenant_id and m.parent_id = s.id
      join student_records p on p.tenant_id = m.tenant_id and p.name = m.student
      join student_guardian_rows r on r.tenant_id = p.tenant_id and r.parent_id = p.id
      join guardian_records g on g.tenant_id = r.tenant_id and g.name = r.guardian
     where s.tenant_id = ${work.tx.tenantId} and s.name = ${group} and trim(g.email_address) <> ''
       and ${isMemberOn(work, sql`${work.today}::date`, { group: 's' })}
     order by email`)
  return found.map(({ email }) => email)
}

/** The method that lists whom to write to about a group. */
export const emailGroupMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.update_email_group',
    rights: [{ type: emailGroup, right: 'create' }],
    takesLong: true,
    summary:
      'Adds the e-mail addresses of the guardians of a Student Group to the Email Group of its name, which is made where there is none.',
    verbs: ['POST', 'PUT'],
    parameters: { doctype: { type: 'string', required: true }, name: { type: 'string', required: true } },
    run: async (work, { doctype, name }) => {
      if (doctype === studentGroup.name) {
        for (const read of [studentGroup, student, guardian]) work.require(read, 'read')
        await work.get(studentGroup, name)
      }
      await takeAdvisoryLock(work.tx, `email group ${name}`)
      const group = await work.find(emailGroup, name)
      if (group === null) await work.insert(emailGroup, { title: name })
      const emails = doctype === studentGroup.name ? await loadGuardians(work, name) : []
      const members = await work.tx.query<{ email: string | null }>(sql`
        select email from email_group_members where tenant_id = ${work.tx.tenantId} and email_group = ${name}`)
      const known = new Set(members.map(({ email }) => email))
      const added = emails.filter((email) => !known.has(email))
      for (const email of added) await work.insert(emailGroupMember, { email_group: name, email })
      work.messages.push({ message: `${added.length} subscribers added`, indicator: 'green' })
      return null
    },
  }),
]
