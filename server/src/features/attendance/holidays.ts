import { holidayList } from '@matricula/contract/record-types'
import { RecordError, type RecordWork } from '../../record-engine/index.ts'
import { defaultCompany } from '../organisation/index.ts'

/**
 * The holidays of the institution: those in the default list of its company.
 *
 * @throws RecordError `ValidationError` where the company has no such list.
 */
export function institutionHolidays(work: RecordWork): Promise<ReadonlySet<string>> {
  const known = cachedHolidays.get(work) ?? readHolidays(work)
  cachedHolidays.set(work, known)
  return known
}

/** Cache per unit of work, which marks many days and changes no holidays. */
const cachedHolidays = new WeakMap<RecordWork, Promise<ReadonlySet<string>>>()

/** The holidays of the institution; none where its company has no list. */
export async function findHolidays(work: RecordWork): Promise<ReadonlySet<string>> {
  const company = await defaultCompany(work)
  const list = company?.default_holiday_list ? await work.find(holidayList, company.default_holiday_list) : null
  return new Set(list?.holidays.flatMap(({ holiday_date: day }) => (day === null ? [] : [day])) ?? [])
}

async function readHolidays(work: RecordWork): Promise<ReadonlySet<string>> {
  const company = await defaultCompany(work)
  const list = company?.default_holiday_list ? await work.find(holidayList, company.default_holiday_list) : null
  if (list !== null) return findHolidays(work)
  throw new RecordError(
    'ValidationError',
    `Set a Default Holiday List for the company ${company?.name ?? ''} first: attendance is not kept on holidays.`,
  )
}
