import type { Json } from '@matricula/contract'
import { student } from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { requireLocked } from '../../../entities/index.ts'
import { validationProblem } from '../../../errors/index.ts'
import type { RecordEngine } from '../../../record-engine/index.ts'
import { applications, isLinked, linkContact, unlinkContact, updateLink } from '../../admissions/index.ts'
import type { ImportSession } from './import-kind.ts'

type Values = Readonly<Record<string, Json>>

const roles = ['applicant', 'primary_contact', 'family', 'emergency', 'billing', 'other'] as const

/** Links a contact to the student and the application that its row names. Returns whether that changed something. */
export async function linkContactRow(
  session: ImportSession,
  engine: RecordEngine,
  guardian: string,
  values: Values,
): Promise<boolean> {
  const { student: code, application } = values
  const isStudentLinked = typeof code === 'string' && (await linkToStudent(engine, guardian, code, values))
  const isApplicationLinked =
    typeof application === 'string' && (await linkToApplication(session, guardian, application, values))
  return isStudentLinked || isApplicationLinked
}

async function linkToStudent(
  engine: RecordEngine,
  guardian: string,
  code: string,
  { relationshipLabel }: Values,
): Promise<boolean> {
  const stored = await engine.get(student, code)
  if (stored.guardians.some((row) => row.guardian === guardian)) return false
  await engine.change(student, code, (document) => {
    const row = { guardian, ...(typeof relationshipLabel === 'string' && { relation: getRelation(relationshipLabel) }) }
    ;(document.guardians as object[]).push(row)
  })
  return true
}

/** Removes the links to students and applications that a run has made for a contact; those that others made since stay. */
export async function unlinkContactOfRun(
  { tx, context, runId }: ImportSession,
  engine: RecordEngine,
  id: string,
  guardian: string,
): Promise<void> {
  const linked = await tx.query<{ student_code: string }>(sql`
    select s.student_code
      from student_contacts l
      join students s on s.tenant_id = ${tx.tenantId} and s.id = l.student_id
     where l.tenant_id = ${tx.tenantId} and l.contact_id = ${id}
       and exists (
         select from audit_entries a where a.tenant_id = ${tx.tenantId} and a.entity_id = s.id and a.request_id = ${runId})
     order by s.student_code`)
  for (const { student_code: code } of linked) {
    await engine.change(student, code, (document) => {
      document.guardians = document.guardians.filter((row) => row.guardian !== guardian)
    })
  }
  const links = await tx.query<{ id: string; application_id: string }>(sql`
    select l.id, l.application_id
      from application_contacts l
     where l.tenant_id = ${tx.tenantId} and l.contact_id = ${id} and l.source = 'import'
     order by l.application_id, l.id`)
  for (const link of links) await unlinkContact(tx, context, link.application_id, link.id)
}

const relations = ['Mother', 'Father'] as const

/** The relation of the Resource API that a label says. */
function getRelation(label: string): string {
  return relations.find((relation) => relation.toLowerCase() === label.toLowerCase()) ?? 'Others'
}

async function linkToApplication(
  { tx, context }: ImportSession,
  guardian: string,
  application: string,
  values: Values,
): Promise<boolean> {
  const { role, relationshipLabel, isPrimary } = values
  if (typeof role === 'string' && !roles.some((each) => each === role)) {
    const detail = `must be one of ${roles.join(', ')}`
    throw validationProblem([{ in: 'body', pointer: '#/role', code: 'not_in_enum', detail }])
  }
  const [contact] = await tx.query<{ id: string }>(
    sql`select id from contacts where tenant_id = ${tx.tenantId} and code = ${guardian}`,
  )
  const { record } = await requireLocked(tx, applications, application)
  const link = {
    contactId: (contact as { id: string }).id,
    ...(typeof role === 'string' && { role: role as (typeof roles)[number] }),
    ...(typeof relationshipLabel === 'string' && { relationshipLabel }),
    ...(typeof isPrimary === 'boolean' && { isPrimary }),
  }
  if (!isLinked(record, link)) {
    await linkContact(tx, context, application, { ...link, source: 'import' })
    return true
  }
  const known = record.contacts.find(
    ({ contactId, role: own }) => contactId === link.contactId && own === (link.role ?? own),
  )
  if (known === undefined) return false
  const { contactId: _, ...changes } = link
  const before = JSON.stringify(record.contacts)
  const changed = await updateLink(tx, context, application, known.id, changes)
  return JSON.stringify(changed.record.contacts) !== before
}
