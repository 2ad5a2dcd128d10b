import { publicLocales } from '@matricula/contract'
import { customer, paymentTermsTemplate } from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { readBack } from '../../../entities/index.ts'
import { findCurrency } from '../../../money/index.ts'
import {
  defineRecord,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordStorage,
  type RecordWork,
} from '../../../record-engine/index.ts'
import { searchText } from '../../../values/index.ts'
import { accounts } from '../accounts/account-store.ts'
import { nextAccountNumbers, toAccountNumber } from '../accounts/accounts.ts'

type Customer = RecordOf<typeof customer>

const groups = ['Family', 'Company', 'Sponsor']

/**
 * Fills in currency, language and group, which says what kind of account it is; the own account of a student stays that.
 * Throws for a currency, a language or payment terms that there are not.
 */
async function completeCustomer(document: Customer, work: RecordWork, before: Customer | null): Promise<void> {
  const { tenant } = work.caller
  document.default_currency = (document.default_currency || before?.default_currency || tenant.currency).toUpperCase()
  if (findCurrency(document.default_currency) === null) {
    throw new RecordError('ValidationError', `${document.default_currency} is no currency of ISO 4217.`)
  }
  document.language ||= before?.language ?? (await loadLanguage(work))
  if (!(publicLocales as readonly string[]).includes(document.language)) {
    throw new RecordError('ValidationError', `The language must be one of ${publicLocales.join(', ')}.`)
  }
  document.payment_terms ||= null
  if (document.payment_terms !== null && document.payment_terms !== before?.payment_terms) {
    const terms = await work.linked(paymentTermsTemplate, document.payment_terms)
    if (terms === null) {
      throw new RecordError('LinkValidationError', `Could not find Payment Terms Template: ${document.payment_terms}`)
    }
    document.payment_terms = terms.name
  }
  if (document.email_id === '') document.email_id = null
  document.student = before?.student ?? null
  document.territory = null
  document.disabled = 0
  const isStudent = before?.customer_group === 'Student'
  const isCompany = document.customer_type === 'Company'
  const sent = groups.find((group) => group === document.customer_group)
  document.customer_group = isStudent ? 'Student' : (sent ?? (isCompany ? 'Company' : 'Family'))
  document.customer_type = ['Company', 'Sponsor'].includes(document.customer_group) ? 'Company' : 'Individual'
  if (before !== null && document.default_currency !== before.default_currency) await requireNoPostings(document, work)
}

async function loadLanguage({ tx }: RecordWork): Promise<string> {
  const [row] = await tx.query<{ language: string }>(sql`select language from tenants where id = ${tx.tenantId}`)
  return row?.language ?? 'en'
}

async function requireNoPostings({ name }: Customer, { tx }: RecordWork): Promise<void> {
  const [posted] = await tx.query(sql`
    select 1 as found from billing_accounts a
     where a.tenant_id = ${tx.tenantId} and a.account_number = ${name}
       and (exists (select from obligations o where o.tenant_id = ${tx.tenantId} and o.account_id = a.id)
            or exists (select from billing_receipts r where r.tenant_id = ${tx.tenantId} and r.account_id = a.id))`)
  if (posted === undefined) return
  throw new RecordError('ValidationError', `Something is posted to ${name}, so its currency cannot change.`)
}

/** The row of an account as a record says it. */
function findValues({ customer_name, customer_group, ...document }: Customer) {
  return {
    name: customer_name ?? '',
    kind: (customer_group ?? 'Family').toLowerCase(),
    currency: document.default_currency,
    language: document.language,
    email: document.email_id,
    phone: document.mobile_no || null,
    taxId: document.tax_id || null,
    terms: document.payment_terms,
    search: searchText(customer_name, document.name, document.email_id),
  }
}

/** Customers are the billing accounts of the Client API, named by their numbers. */
const storage: RecordStorage<typeof customer, object> = {
  relation: 'customer_records',
  table: 'billing_accounts',
  nameColumn: 'account_number',
  hasCustomFields: false,
  list: accounts,
  insert: async ({ tx }, id, document) => {
    const values = findValues(document)
    const inserted = await tx.query(sql`
      insert into billing_accounts (tenant_id, id, number, account_number, name, kind, currency, language, email, phone,
                                    tax_id, payment_terms, search_text)
      values (${tx.tenantId}, ${id}, ${Number(document.name.replace(/\D/g, ''))}, ${document.name}, ${values.name},
              ${values.kind}, ${values.currency}, ${values.language}, ${values.email}, ${values.phone}, ${values.taxId},
              ${values.terms}, ${values.search})
      on conflict do nothing returning 1 as inserted`)
    return inserted.length > 0
  },
  update: async ({ tx }, id, document, before) => {
    const values = findValues(document)
    // The account of a student is called as the student is until somebody calls it otherwise.
    const isNamed = document.customer_name !== before.customer_name
    await tx.query(sql`
      update billing_accounts
         set name = case when ${isNamed}::boolean then ${values.name} else name end, kind = ${values.kind},
             currency = ${values.currency}, language = ${values.language}, email = ${values.email},
             phone = ${values.phone}, tax_id = ${values.taxId}, payment_terms = ${values.terms},
             search_text = ${values.search}, version = version + 1,
             updated_at = greatest(current_stamp(), updated_at)
       where tenant_id = ${tx.tenantId} and id = ${id}`)
  },
  remove: async (_, __, { name }) => {
    throw new RecordError('ValidationError', `${name} is an account of the books and stays.`)
  },
  rename: async (_, __, name) => {
    throw new RecordError('ValidationError', `An account keeps its number and is not called ${name}.`)
  },
  read: async ({ tx }, id) => {
    const { balance: _, overdue: __, credit: ___, ...facts } = (await readBack(tx, accounts, id)).record
    return facts
  },
  ownFields: [],
  eventType: (verb) => (verb === 'created' ? 'billing_account.created' : 'billing_account.updated'),
}

/** Who pays. */
export const customerRecord: RecordDefinition = defineRecord(customer, {
  rules: {
    name: async (_, { tx }) => toAccountNumber((await nextAccountNumbers(tx, 1))[0] as number),
    validate: [completeCustomer],
  },
  storage,
})
