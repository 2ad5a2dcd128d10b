import type { PublicLocale } from '@matricula/contract'
import { Counter } from 'prom-client'
import { type Database, type Sql, sql, type Transaction } from '../database/index.ts'
import type { Job } from '../jobs/index.ts'
import { type Claimed, Outbox } from '../jobs/index.ts'
import type { TenantRecord } from '../tenancy/index.ts'
import { newId } from '../values/index.ts'
import type { Letter, Mailer } from './mailer.ts'

/** The subjects of mails. */
export type MailKind =
  | 'document_request'
  | 'password_reset'
  | 'welcome'
  | 'webhook_disabled'
  | 'request_receipt'
  | 'form_receipt'
  | 'form_draft'
  | 'sign_in_added'
  | 'sign_in_removed'
  | 'account_unlinked'
  | 'address_replaced'
  | 'place_offered'
  | 'dunning_notice'

/** A queued mail. Its text is composed when it is sent, so that no link is stored. */
export interface OutgoingMail {
  readonly id: string
  readonly kind: MailKind
  readonly entityId: string
  readonly recipient: string
  readonly locale: PublicLocale
}

/** Composes a mail; null when there is nothing to send any more. */
export type Composer = (database: Database, tenant: TenantRecord, mail: OutgoingMail) => Promise<Letter | null>

interface MailLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/**
 * Transactional outbox: queues a mail in the transaction of its cause. A job sends it.
 *
 * @param notBefore A moment (`timestamptz`) before which it is not sent; at once by default
 */
export function putOut(
  tx: Transaction,
  { kind, entityId, recipient, locale }: Omit<OutgoingMail, 'id'>,
  notBefore: Sql = sql`current_stamp()`,
): void {
  tx.send(sql`
    insert into outgoing_mails (tenant_id, id, kind, entity_id, recipient, locale, next_attempt_at)
    values (${tx.tenantId}, ${newId()}, ${kind}, ${entityId}, ${recipient}, ${locale}, ${notBefore})`)
}

const attempts = new Counter({
  name: 'matricula_mail_attempts_total',
  help: 'Attempts to send a mail, by outcome: sent, tried again later, or given up.',
  labelNames: ['outcome'],
})

/** Batch size: mails per tenant and run, so that a shutdown need not wait for all of them. */
const maxAtOnce = 20

const minute = 60

/** Exponential backoff: one minute, two, four and so on up to two hours, for a day. */
const outbox = new Outbox<Omit<OutgoingMail, 'id'>>({
  table: 'outgoing_mails',
  columns: sql`kind, entity_id as "entityId", recipient, locale`,
  waits: [...[1, 2, 4, 8, 16, 32, 64], ...new Array<number>(11).fill(120)].map((minutes) => minutes * minute),
})

/**
 * Sends queued mails; without a mailer each is given up and logged. A recipient that the server rejects permanently
 * is given up at once.
 */
export function mailJob(mailer: Mailer | null, composers: Readonly<Record<MailKind, Composer>>, log: MailLog): Job {
  return {
    name: 'outgoing-mails',
    everySeconds: 15,
    run: (database, tenant, hasTime) =>
      outbox.drain(database, tenant.id, { most: maxAtOnce, hasTime }, async (mail) => {
        const outcome = await sendOne(database, tenant, mail)
        const isGivenUp = !outcome.sent && (outcome.isFinal || mail.isLast)
        attempts.inc({ outcome: outcome.sent ? 'sent' : isGivenUp ? 'given_up' : 'again' })
        return outcome
      }),
  }

  async function sendOne(database: Database, tenant: TenantRecord, mail: Claimed<OutgoingMail>) {
    const facts = { tenant: tenant.slug, mail: mail.id, kind: mail.kind, attempt: mail.attempts }
    if (mailer === null) {
      log.warn(facts, 'no mail was sent: SMTP_URL is not set')
      return { sent: false, failure: 'SMTP_URL is not set', isFinal: true, isThere: true } as const
    }
    const letter = await composers[mail.kind](database, tenant, mail)
    if (letter === null) {
      return { sent: false, failure: 'there is nothing to tell any more', isFinal: true, isThere: true } as const
    }
    try {
      await mailer.send(mail.id, letter)
    } catch (error) {
      const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number }
      const failure = responseCode === undefined ? code : `${code} ${responseCode}`
      const isFinal = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
      const isGivenUp = isFinal || mail.isLast
      log.warn({ ...facts, failure }, isGivenUp ? 'a mail was given up' : 'a mail was not sent and will be tried again')
      return { sent: false, failure, isFinal, isThere: responseCode !== undefined } as const
    }
    log.info(facts, 'a mail was sent')
    return { sent: true, isThere: true } as const
  }
}
