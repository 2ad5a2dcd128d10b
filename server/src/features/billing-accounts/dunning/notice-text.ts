import type { PublicLocale } from '@matricula/contract'
import { messagesIn } from '@matricula/pages'
import { amountText } from '../../../money/index.ts'
import type { DunningLevel } from '../billing-settings.ts'

/** What a notice is about, for people. */
export interface NoticeFacts {
  readonly institution: string
  readonly institutionLanguage: PublicLocale
  /** The payer. */
  readonly name: string
  readonly language: PublicLocale
  readonly currency: string
  readonly amount: number
  readonly fee: number
  readonly items: readonly {
    readonly description: string
    readonly amount: number
    readonly dueOn: string
    readonly daysOverdue: number
    readonly reference: string
  }[]
}

/** Subject and text of a notice: in the words of its level where it has some, else in those of the product. */
export function composeNotice(
  { texts }: Pick<DunningLevel, 'texts'>,
  facts: NoticeFacts,
): { readonly subject: string; readonly text: string } {
  const { institution, institutionLanguage, name, language, items, currency } = facts
  const { dunning } = messagesIn(language).mails
  const [amount, fee] = [money(facts.amount, currency), money(facts.fee, currency)]
  const day = items[0]?.dueOn ?? ''
  const list = items.map((item) =>
    dunning.item(item.description, money(item.amount, currency), item.dueOn, item.reference),
  )
  const subject = dunning.subject(institution, amount).replace(/\s+/g, ' ')
  const own = typeof texts === 'string' ? texts : (texts?.[language] ?? texts?.[institutionLanguage])
  if (own !== undefined && own !== null) {
    const values: Readonly<Record<string, string>> = {
      ...{ name, amount, fee, dueDate: day, days: String(items[0]?.daysOverdue ?? 0), list: list.join('\n') },
    }
    return { subject, text: own.replace(/\{(\w+)\}/g, (word, key: string) => values[key] ?? word) }
  }
  const parts = [
    dunning.overdue(name, amount, day),
    list.join('\n'),
    ...(facts.fee > 0 ? [dunning.fee(fee)] : []),
    dunning.advice(institution),
  ]
  return { subject, text: parts.join('\n\n') }
}

function money(amount: number, currency: string): string {
  return `${currency} ${amountText(amount, currency)}`
}
