import { customer, guardian } from '@matricula/contract/record-types'
import { sql, table } from '../../database/index.ts'
import {
  defineRecord,
  ownValues,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordStorage,
  type RecordWork,
  removeRow,
} from '../../record-engine/index.ts'
import { changePerson } from '../admissions/index.ts'
import { findBirthDateError, phoneDigits } from '../contacts/index.ts'

type GuardianDocument = RecordOf<typeof guardian>

const ownColumns = {
  alternate_number: 'alternate_number',
  date_of_birth: 'date_of_birth',
  user: 'user_name',
  education: 'education',
  occupation: 'occupation',
  designation: 'designation',
  work_address: 'work_address',
  image: 'image',
  customer: 'customer',
} as const

const recordTable = table('contacts', {
  code: 'code',
  displayName: 'display_name',
  email: 'email',
  phone: 'phone',
  phoneDigits: 'phone_digits',
  owner: 'owner',
  modifiedBy: 'modified_by',
  ...ownColumns,
})

function findValues(document: GuardianDocument) {
  return {
    ...ownValues(document, ownColumns),
    code: document.name,
    displayName: document.guardian_name,
    email: document.email_address,
    phone: document.mobile_number,
    phoneDigits: phoneDigits(document.mobile_number),
    owner: document.owner,
    modifiedBy: document.modified_by,
  }
}

/** What the Client API shows of a person wherever one is linked. */
const shown = ['guardian_name', 'email_address', 'mobile_number'] as const

/** Guardians are the people whom the Client API calls contacts. */
const storage: RecordStorage<typeof guardian> = {
  relation: 'guardian_records',
  table: 'contacts',
  nameColumn: 'code',
  rowRelations: { students: 'guardian_student_rows' },
  computedTables: ['students'],
  linkColumns: { user: { table: 'contacts', column: 'user_name' } },
  insert: async ({ tx }, id, document) => {
    const inserted = await tx.query(
      sql`${recordTable.insert(tx.tenantId, id, findValues(document))} on conflict do nothing returning 1 as inserted`,
    )
    return inserted.length > 0
  },
  update: async ({ tx, caller }, id, document, before) => {
    const write = async () => {
      await tx.query(recordTable.update(tx.tenantId, id, findValues(document)))
    }
    const readsDifferently = shown.some((field) => document[field] !== before[field])
    if (readsDifferently) await changePerson(tx, caller, id, null, write)
    else await write()
  },
  remove: ({ tx }, id, document) => removeRow(tx, 'contacts', id, `Guardian ${document.name}`),
  rename: async ({ tx, caller }, id, name) => {
    await tx.query(sql`
      update contacts set code = ${name}, modified_by = ${caller.user}, version = version + 1,
             updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${tx.tenantId} and id = ${id}`)
  },
  read: async () => null,
  ownFields: [],
}

function clearEmptyAddresses(document: GuardianDocument): void {
  if (document.email_address === '') document.email_address = null
  if (document.mobile_number === '') document.mobile_number = null
}

/** The students follow from the students’ own rows, whatever is sent. */
function keepStudents(document: GuardianDocument, _work: unknown, before: GuardianDocument | null): void {
  document.students = before?.students ?? []
}

/** Whose invoices a guardian sees is entered by whoever may see the accounts. Throws `PermissionError` for others. */
function requireCustomerRight(document: GuardianDocument, work: RecordWork, before: GuardianDocument | null): void {
  document.customer ||= null
  if (document.customer !== null && document.customer !== before?.customer) work.require(customer, 'read')
}

function requireBirthInPast({ date_of_birth: birthDate }: GuardianDocument, work: RecordWork): void {
  const validationError = findBirthDateError(birthDate, work)
  if (validationError !== null) throw new RecordError('ValidationError', validationError)
}

/** Those who answer for students. */
export const guardianRecords: readonly RecordDefinition[] = [
  defineRecord(guardian, {
    rules: { validate: [clearEmptyAddresses, requireBirthInPast, keepStudents, requireCustomerRight] },
    storage,
  }),
]
