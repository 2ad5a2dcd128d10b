import { column, identifier, type Sql, sql, type Transaction } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'
import { type PersonTable, personTables } from './declared.ts'

/** A record of a person. */
export interface PersonRecord {
  readonly table: PersonTable
  readonly id: string
  readonly code: string
  readonly email: string | null
}

/**
 * Finds a person by id, code or e-mail address, with all records of the same person: the user, the student of an
 * application, the applications of a student.
 *
 * @throws CommandError when there is none, and when several people share the address, as families do.
 */
export async function findPerson(tx: Transaction, who: string): Promise<PersonRecord[]> {
  const found: PersonRecord[] = []
  for (const table of personTables) found.push(...(await recordsWhere(tx, table, who)))
  if (found.length === 0) {
    throw new CommandError('not_found', 'There is nobody with this id, code or e-mail address in this institution.')
  }
  const first = found[0] as PersonRecord
  const person = await samePerson(tx, first)
  const others = found.filter((one) => !person.some((each) => isSame(each, one)))
  if (others.length === 0) return person
  const description = found.map(({ table, code, id }) => `${table.kind} ${code} (${id})`).join(', ')
  throw new CommandError(
    'wrong_usage',
    `Several people have this address: ${description}. Say which one by its id or code.`,
  )
}

const isSame = (one: PersonRecord, other: PersonRecord) => one.table === other.table && one.id === other.id

function recordsWhere(tx: Transaction, table: PersonTable, who: string): Promise<PersonRecord[]> {
  const isAny = isUuid(who)
    ? sql`p.id = ${who}`
    : sql`p.${column(table.code)} = ${who} or lower(p.email) = lower(${who})`
  return read(tx, table, isAny)
}

async function read(tx: Transaction, table: PersonTable, condition: Sql): Promise<PersonRecord[]> {
  const rows = await tx.query<{ id: string; code: string; email: string | null }>(sql`
    select p.id, p.${column(table.code)} as code, p.email from ${identifier(table.table)} p
     where p.tenant_id = ${tx.tenantId} and (${condition}) order by p.id`)
  return rows.map((row) => ({ table, ...row }))
}

async function samePerson(tx: Transaction, first: PersonRecord): Promise<PersonRecord[]> {
  const [students, applications, contacts, users] = personTables as [PersonTable, PersonTable, PersonTable, PersonTable]
  const person = [first]
  const getIds = (table: PersonTable) => person.filter((each) => each.table === table).map(({ id }) => id)
  const add = async (table: PersonTable, condition: Sql) => {
    for (const one of await read(tx, table, condition)) if (!person.some((each) => isSame(each, one))) person.push(one)
  }
  if (first.table === users) person.push(...(await findRecordOfUser(tx, students, contacts, first)))
  // Added records are visited too.
  for (const { table, id } of person) {
    if (table === students) await add(applications, sql`p.student_id = ${id}`)
    if (table === applications) {
      await add(
        students,
        sql`p.id = (select a.student_id from admission_applications a where a.tenant_id = ${tx.tenantId} and a.id = ${id})`,
      )
      await add(contacts, isApplicantOnly(id, getIds(applications), getIds(students)))
    }
  }
  // A user shared with others stays theirs.
  const [ownStudents, ownContacts] = [getIds(students), getIds(contacts)]
  await add(
    users,
    sql`
    (p.name in (select s.user_name from students s where s.tenant_id = ${tx.tenantId} and s.id = any (${ownStudents}::uuid[]))
      or p.name in (select c.user_name from contacts c where c.tenant_id = ${tx.tenantId} and c.id = any (${ownContacts}::uuid[])))
    and not exists (select from students s where s.tenant_id = ${tx.tenantId} and s.user_name = p.name
                       and s.id <> all (${ownStudents}::uuid[]))
    and not exists (select from contacts c where c.tenant_id = ${tx.tenantId} and c.user_name = p.name
                       and c.id <> all (${ownContacts}::uuid[]))`,
  )
  return person
}

/** The applicant's contact record, when it is nobody else's contact, and the applicant of nothing else. */
function isApplicantOnly(id: string, applications: readonly string[], students: readonly string[]): Sql {
  return sql`
    exists (select from application_contacts l where l.tenant_id = p.tenant_id and l.contact_id = p.id
               and l.application_id = ${id} and l.role = 'applicant')
    and not exists (select from application_contacts l where l.tenant_id = p.tenant_id and l.contact_id = p.id
                       and (l.role <> 'applicant' or l.application_id <> all (${[...applications]}::uuid[])))
    and not exists (select from student_contacts l where l.tenant_id = p.tenant_id and l.contact_id = p.id
                       and (l.role <> 'applicant' or l.student_id <> all (${[...students]}::uuid[])))`
}

/**
 * An application as the subject of an erasure after its retention period: with its applicant's contact, without the
 * user and the person's other records.
 */
export async function applicationAsSubject(tx: Transaction, id: string): Promise<PersonRecord[]> {
  const [, applications, contacts] = personTables as [PersonTable, PersonTable, PersonTable, PersonTable]
  return [
    ...(await read(tx, applications, sql`p.id = ${id}`)),
    ...(await read(tx, contacts, isApplicantOnly(id, [id], []))),
  ]
}

/** The record of a user's person. Throws `CommandError` when there are several. */
async function findRecordOfUser(
  tx: Transaction,
  students: PersonTable,
  contacts: PersonTable,
  { code }: PersonRecord,
): Promise<PersonRecord[]> {
  const theirs = sql`p.user_name = ${code}`
  const own = [...(await read(tx, students, theirs)), ...(await read(tx, contacts, theirs))]
  if (own.length < 2) return own
  const description = own.map((one) => `${one.table.kind} ${one.code} (${one.id})`).join(', ')
  throw new CommandError(
    'wrong_usage',
    `Several people use this log-in: ${description}. Say which one by its own id or code.`,
  )
}
