import { educationSettings } from '@matricula/contract/record-types'
import type { RecordOf } from '../../records/record-document.ts'
import type { RecordWork, SiteDefaults } from '../../records/record-work.ts'
import { defaultCompany } from '../organisation/index.ts'

/** How the institution runs its academic side; the defaults where it never said. */
export async function educationSettingsOf(work: RecordWork): Promise<RecordOf<typeof educationSettings>> {
  return (
    (await work.linked(educationSettings, educationSettings.name)) ??
    work.get(educationSettings, educationSettings.name)
  )
}

/** What links of new records name when nothing was sent: the current year and term, the company and its currency. */
export async function siteDefaults(work: RecordWork): Promise<SiteDefaults> {
  const settings = await educationSettingsOf(work)
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
  }
}
