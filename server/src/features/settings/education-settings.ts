import { educationSettings } from '@matricula/contract/record-types'
import { type Database, type Sql, sql } from '../../database/index.ts'
import { getFiscalYear, type RecordOf, type RecordWork, type SiteDefaults } from '../../record-engine/index.ts'
import { defaultCompany } from '../organisation/index.ts'

/** How the institution runs its academic side; the defaults where it never said. */
export async function loadEducationSettings(work: RecordWork): Promise<RecordOf<typeof educationSettings>> {
  return (
    (await work.linked(educationSettings, educationSettings.name)) ??
    work.get(educationSettings, educationSettings.name)
  )
}

/** How the institution shows itself; null what it never said. */
export interface Brand {
  readonly abbreviation: string | null
  /** The address of a picture. */
  readonly logo: string | null
}

/** How an institution shows itself to people. */
export async function loadBrand(database: Database, tenantId: string): Promise<Brand> {
  const [brand] = await database.read<Brand>(
    tenantId,
    sql`select school_college_name_abbreviation as abbreviation, school_college_logo as logo
          from education_settings where tenant_id = ${tenantId}`,
  )
  return brand ?? { abbreviation: null, logo: null }
}

const months: readonly string[] = educationSettings.fields.fiscal_year_first_month.options

/** The number of a month by its name, from 1; that of January where nothing is set. */
function monthNumber(name: string | null): number {
  return Math.max(months.indexOf(name ?? ''), 0) + 1
}

/** The fiscal year of a day by the name of the month with which an institution's fiscal years begin. */
export function fiscalYearByFirstMonth(day: string): Readonly<Record<string, string>> {
  return Object.fromEntries(months.map((month) => [month, getFiscalYear(day, monthNumber(month))]))
}

/** A part of `from` with one row, whose `month` is the name of the month with which a tenant's fiscal years begin. */
export function fiscalYearSettings(tenantId: string): Sql {
  return sql`(
    select coalesce(nullif(max(fiscal_year_first_month), ''), ${months[0]}) as month
      from education_settings where tenant_id = ${tenantId})`
}

/** What links of new records name when nothing was sent: the current year and term, the company and its currency. */
export async function siteDefaults(work: RecordWork): Promise<SiteDefaults> {
  const settings = await loadEducationSettings(work)
  const company = await defaultCompany(work)
  return {
    links: {
      academic_year: settings.current_academic_year,
      academic_term: settings.current_academic_term,
      company: company?.name ?? null,
      currency: company?.default_currency ?? work.caller.tenant.currency,
    },
    belongsTo: { academic_term: 'academic_year' },
    isStrict: settings.strict_links === 1,
    fiscalYearFirstMonth: monthNumber(settings.fiscal_year_first_month),
  }
}
