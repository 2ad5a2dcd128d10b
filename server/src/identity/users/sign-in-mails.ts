import type { PublicLocale } from '@matricula/contract'
import { findLocale, greet, messagesIn } from '@matricula/pages'
import { sql, type Transaction } from '../../database/index.ts'
import { type Composer, putOut } from '../../mail/index.ts'

type SignInMail = 'sign_in_added' | 'sign_in_removed' | 'account_unlinked'

/**
 * Queues a mail that informs a user about an added or removed factor, or that the account is no longer linked to a
 * person.
 */
export async function putOutSignInMail(tx: Transaction, userId: string, kind: SignInMail): Promise<void> {
  const [user] = await tx.query<{ email: string; language: string | null; ofTheInstitution: PublicLocale }>(sql`
    select email, language, (select t.language from tenants t where t.id = tenant_id) as "ofTheInstitution"
      from users where tenant_id = ${tx.tenantId} and id = ${userId}`)
  if (user === undefined) return
  const locale = findLocale(user.language) ?? user.ofTheInstitution
  putOut(tx, { kind, entityId: userId, recipient: user.email, locale })
}

/** Composes the mails about factors. */
export function signInMailComposers({
  publicUrl,
}: {
  readonly publicUrl: string
}): Readonly<Record<SignInMail, Composer>> {
  const composer = (kind: 'added' | 'removed' | 'unlinked'): Composer => {
    return async (database, tenant, { entityId, recipient, locale }) => {
      const [user] = await database.read<{ fullName: string }>(
        tenant.id,
        sql`select full_name as "fullName" from users where tenant_id = ${tenant.id} and id = ${entityId} and enabled = 1`,
      )
      if (user === undefined) return null
      const { mails } = messagesIn(locale)
      const { signIn } = mails
      const address = `${publicUrl}/t/${tenant.slug}/sign-in`
      const parts = [
        greet(mails, user.fullName),
        signIn[kind](tenant.name),
        signIn.look,
        address,
        signIn.advice(tenant.name),
      ]
      return {
        to: { name: user.fullName, address: recipient },
        subject: (kind === 'unlinked' ? signIn.unlinkedSubject : signIn.subject)(tenant.name).replace(/\s+/g, ' '),
        text: `${parts.join('\n\n')}\n`,
      }
    }
  }
  return {
    sign_in_added: composer('added'),
    sign_in_removed: composer('removed'),
    account_unlinked: composer('unlinked'),
  }
}
