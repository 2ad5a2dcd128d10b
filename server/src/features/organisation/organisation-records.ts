import {
  account,
  company,
  costCenter,
  department,
  employee,
  glEntry,
  holidayList,
  role,
  user,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { automaticRoles, endLackingSessions, endLostAccess, systemManager } from '../../identity/users/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordWork,
} from '../../record-engine/index.ts'
import { knownZone } from '../../tenancy/index.ts'
import { findBirthDateError } from '../contacts/index.ts'

/** The company that records belong to which name none: the tenant's first. Null when there is none. */
export async function defaultCompany(work: RecordWork): Promise<RecordOf<typeof company> | null> {
  const [first] = await work.select(company, sql`true`, sql`order by r.created_at, r.id limit 1`)
  return first ?? null
}

async function loadCompanyNamed(own: string | null, companyName: string | null, work: RecordWork) {
  const owner = await work.linked(company, companyName)
  return owner === null || !own
    ? (own ?? '')
    : `${own} - ${owner.abbr}`.replace(` - ${owner.abbr} - ${owner.abbr}`, ` - ${owner.abbr}`)
}

/** A company that comes without accounts gets the few that fees need, and a cost center. */
async function makeAccounts(document: RecordOf<typeof company>, work: RecordWork): Promise<void> {
  if (document.default_receivable_account || document.default_income_account) return
  const shared = { company: document.name, account_currency: document.default_currency }
  const make = (account_name: string, root_type: string, account_type: string) =>
    work.insert(account, { ...shared, account_name, root_type, account_type })
  const receivable = await make('Debtors', 'Asset', 'Receivable')
  const income = await make('Fees Income', 'Income', 'Income Account')
  const cash = await make('Cash', 'Asset', 'Cash')
  const bank = await make('Bank', 'Asset', 'Bank')
  const unapplied = await make(unappliedPayments, 'Liability', '')
  const center = await work.insert(costCenter, { cost_center_name: 'Main', company: document.name })
  await work.put(company, document.name, {
    default_receivable_account: receivable.name,
    default_income_account: income.name,
    default_cash_account: cash.name,
    default_bank_account: bank.name,
    default_unapplied_account: unapplied.name,
    cost_center: center.name,
  })
}

/** The account of money that came in and is not applied to anything yet. */
const unappliedPayments = 'Unapplied Payments'

/** The name of the account on which a company keeps money that is not applied yet, which is made where it has none. */
export async function loadSuspenseAccount(work: RecordWork, owner: RecordOf<typeof company>): Promise<string> {
  if (owner.default_unapplied_account) return owner.default_unapplied_account
  const [known] = await work.select(account, sql`r.company = ${owner.name} and r.account_name = ${unappliedPayments}`)
  const { name } =
    known ??
    (await work.insert(account, {
      account_name: unappliedPayments,
      root_type: 'Liability',
      account_type: '',
      company: owner.name,
      account_currency: owner.default_currency,
    }))
  await work.put(company, owner.name, { default_unapplied_account: name })
  return name
}

const reportOf: Readonly<Record<string, string>> = { Income: 'Profit and Loss', Expense: 'Profit and Loss' }

function setReportType(document: RecordOf<typeof account>): void {
  document.report_type = document.root_type ? (reportOf[document.root_type] ?? 'Balance Sheet') : ''
}

async function requireGroupParent(document: RecordOf<typeof account>, work: RecordWork): Promise<void> {
  const parent = await work.linked(account, document.parent_account)
  if (parent === null || (parent.is_group === 1 && parent.company === document.company)) return
  throw new RecordError('ValidationError', `Account ${parent.name} must be a group of the company ${document.company}.`)
}

function setEmployeeName(document: RecordOf<typeof employee>): void {
  const parts = [document.first_name, document.middle_name, document.last_name]
  document.employee_name = parts.filter((part) => part?.trim()).join(' ')
}

function requireBirthBeforeJoining(document: RecordOf<typeof employee>, work: RecordWork): void {
  const { date_of_birth: born, date_of_joining: joined } = document
  const validationError = findBirthDateError(born, work)
  if (validationError !== null) throw new RecordError('ValidationError', validationError)
  if (born !== null && joined !== null && born >= joined) {
    throw new RecordError(
      'ValidationError',
      `Date of Birth must be before the Date of Joining: ${born} is not before ${joined}. Correct one of them.`,
    )
  }
}

function countHolidays(document: RecordOf<typeof holidayList>): void {
  const { from_date: from, to_date: to, holidays } = document
  if (from !== null && to !== null && from > to) {
    throw new RecordError(
      'ValidationError',
      `To Date must not be before From Date: ${to} is before ${from}. Correct one of them.`,
    )
  }
  const seen = new Set<string>()
  for (const { holiday_date: day, idx } of holidays) {
    if (day === null) continue
    if ((from !== null && day < from) || (to !== null && day > to)) {
      throw new RecordError(
        'ValidationError',
        `Row #${idx}: the holiday on ${day} is not between From Date (${from}) and To Date (${to}). Correct the date, or the bounds.`,
      )
    }
    if (seen.has(day))
      throw new RecordError('ValidationError', `Row #${idx}: ${day} is a holiday already. Remove the row.`)
    seen.add(day)
  }
  document.total_holidays = holidays.length
}

type UserDocument = RecordOf<typeof user>

function setUserName(document: UserDocument): void {
  const parts = [document.first_name, document.middle_name, document.last_name]
  document.full_name = parts.filter((part) => part?.trim()).join(' ')
  document.email = document.email?.trim().toLowerCase() ?? null
}

async function requireTimeZone(document: UserDocument, work: RecordWork): Promise<void> {
  if (!document.time_zone) return
  const zone = await knownZone(work.tx, document.time_zone)
  if (zone === null) {
    throw new RecordError(
      'ValidationError',
      `There is no time zone ${document.time_zone}. Use a name such as America/Mexico_City.`,
    )
  }
  document.time_zone = zone
}

/**
 * Whoever has a role of the staff is of the staff, whichever way the role was given, and no longer once the last one is
 * taken away.
 */
async function setUserType(document: UserDocument, work: RecordWork, before: UserDocument | null): Promise<void> {
  if (await hasStaffRole(document, work)) document.user_type = 'System User'
  else if (before !== null && document.user_type === before.user_type && (await hasStaffRole(before, work))) {
    document.user_type = 'Website User'
  }
}

const endSessionsLost = ({ name }: UserDocument, work: RecordWork) => endLostAccess(work.tx, name)

async function hasStaffRole({ roles }: UserDocument, work: RecordWork): Promise<boolean> {
  const held = roles.map((row) => row.role ?? '')
  if (held.length === 0) return false
  const [found] = await work.select(
    role,
    sql`r.name = any (${held}) and r.desk_access = 1 and r.disabled = 0`,
    sql`limit 1`,
  )
  return found !== undefined
}

/** Somebody must be able to enable a role again, and automatic ones are always held. */
function requireMayDisable({ role_name, disabled }: RoleDocument): void {
  if (disabled === 0 || ![systemManager, ...Object.values(automaticRoles)].includes(role_name ?? '')) return
  throw new RecordError('ValidationError', `The role ${role_name} cannot be disabled.`)
}

/** Whether users are staff, and which factors they need, follows a role that is disabled, enabled or given a desk. */
async function followRole(after: RoleDocument, work: RecordWork, before: RoleDocument | null): Promise<void> {
  const { name } = after
  if (before === null || (before.disabled === after.disabled && before.desk_access === after.desk_access)) return
  const { tx } = work
  const isOfStaff = sql`exists (
    select from users_roles h join roles o on o.tenant_id = h.tenant_id and o.name = h.role
     where h.tenant_id = u.tenant_id and h.parent_id = u.id and o.desk_access = 1 and o.disabled = 0)`
  const isStaff = after.disabled === 0 && after.desk_access === 1
  const holders = await tx.query<{ name: string }>(sql`
    select u.name from users u
     where u.tenant_id = ${tx.tenantId} and u.user_type = ${isStaff ? 'Website User' : 'System User'}
       and ${isOfStaff} = ${isStaff}
       and exists (select from users_roles h
                    where h.tenant_id = u.tenant_id and h.parent_id = u.id and h.role = ${name})
     order by u.id`)
  for (const holder of holders) {
    await work.put(user, holder.name, { user_type: isStaff ? 'System User' : 'Website User' })
  }
  endLackingSessions(tx)
}

type RoleDocument = RecordOf<typeof role>

const initials = (name: string) => name.replace(/(\p{L}|\d)[\p{L}\d]*[^\p{L}\d]*/gu, '$1').toUpperCase() || 'C'

/** The institution itself and what every other record may name. */
export const organisationRecords: readonly RecordDefinition[] = [
  defineRecord(company, {
    rules: { afterInsert: [makeAccounts] },
    fromName: async (name, work) => ({
      company_name: name,
      abbr: initials(name).slice(0, 10),
      default_currency: work.caller.tenant.currency,
      default_holiday_list: (await defaultCompany(work))?.default_holiday_list ?? null,
    }),
  }),
  defineRecord(account, {
    rules: {
      name: ({ account_name, company: owner }, work) => loadCompanyNamed(account_name, owner, work),
      validate: [setReportType, requireGroupParent],
    },
    fromName: async (name, work) => {
      const owner = await defaultCompany(work)
      const suffix = owner === null ? '' : ` - ${owner.abbr}`
      return {
        account_name: name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name,
        company: owner?.name ?? null,
        root_type: 'Asset',
        account_type: 'Receivable',
      }
    },
  }),
  defineRecord(costCenter, {
    rules: {
      name: (document, work) => loadCompanyNamed(document.cost_center_name, document.company, work),
    },
  }),
  defineRecord(glEntry, { isWrittenByService: true, indexes: [['posting_date'], ['account', 'posting_date']] }),
  defineRecord(department, { fromName: async (name) => ({ department_name: name }) }),
  defineRecord(employee, { rules: { validate: [setEmployeeName, requireBirthBeforeJoining] } }),
  defineRecord(holidayList, { rules: { validate: [countHolidays] } }),
  defineRecord(user, {
    rules: {
      name: ({ email }) => email?.trim().toLowerCase() ?? '',
      validate: [setUserName, setUserType, requireTimeZone],
      afterSave: [endSessionsLost],
    },
    isPlatformTable: true,
  }),
  defineRecord(role, { rules: { validate: [requireMayDisable], afterSave: [followRole] }, isPlatformTable: true }),
]
