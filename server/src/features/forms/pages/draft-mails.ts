import { formatDay, messagesIn } from '@matricula/pages'
import { sql } from '../../../database/index.ts'
import type { Composer } from '../../../mail/index.ts'
import { inLanguage, type Translations } from '../../../tenancy/index.ts'
import { draftUrl } from './form-links.ts'

interface DraftFacts {
  readonly templateId: string
  readonly key: string
  readonly name: string
  readonly texts: Translations
  readonly expiresAt: string
}

/** Writes the mail with the link to a draft; none once it is submitted or expired. */
export function draftMailComposer(config: { readonly publicUrl: string; readonly secretKey: string }): Composer {
  return async (database, tenant, { entityId: draftId, recipient, locale }) => {
    const [draft] = await database.read<DraftFacts>(
      tenant.id,
      sql`
        select f.id as "templateId", f.key, f.name, f.translations as texts, r.expires_at as "expiresAt"
          from form_drafts r
          join form_templates f on f.tenant_id = ${tenant.id} and f.id = r.template_id
         where r.tenant_id = ${tenant.id} and r.id = ${draftId} and r.expires_at > now()`,
    )
    if (draft === undefined) return null
    const { templateId, key, expiresAt } = draft
    const { name } = inLanguage({ name: draft.name }, draft.texts, locale)
    const { subject, goOn, until, secret } = messagesIn(locale).mails.draft
    const template = { tenantSlug: tenant.slug, key }
    const address = `${draftUrl(config, template, { tenantId: tenant.id, templateId, draftId })}?lang=${locale}`
    const parts = [goOn(name, tenant.name), address, until(formatDay(locale, expiresAt, tenant.timeZone)), secret]
    return {
      to: { name: '', address: recipient },
      subject: subject(tenant.name).replace(/\s+/g, ' '),
      text: `${parts.join('\n\n')}\n`,
    }
  }
}
