import { createRequire } from 'node:module'
import type { PublicLocale } from '@matricula/contract'
import { messagesIn } from '@matricula/pages'
import { amountText } from '../../../money/index.ts'
import { ink, type PrintedContent, PrintedPages } from '../../../pdf/index.ts'
import type { AccountRecord } from '../accounts/account-store.ts'
import type { BillingOfTenant, PrintStyle } from '../billing-settings.ts'
import { encodeTransfer, findTransfer, type Transfer, toSwissBill } from './payment-code.ts'

const load = createRequire(import.meta.url)

/** Who writes. */
export interface Sender extends BillingOfTenant {
  readonly institution: string
}

/** A column of a table: its heading, its width as a fraction, and on which side its texts stand. */
export interface LetterColumn {
  readonly heading: string
  readonly width: number
  readonly align?: 'right'
}

/** A kind of document, with texts of the institution. */
type Kind = keyof PrintStyle['notes']

/** The messages of letters in a language. */
type LetterMessages = ReturnType<typeof messagesIn>['letters']

/** The messages of letters in the language of a payer. */
export const lettersFor = ({ language }: Pick<AccountRecord, 'language'>): LetterMessages =>
  messagesIn(language).letters

/** An amount with its currency, for people. */
export const money = (amount: number, currency: string) => `${currency} ${amountText(amount, currency)}`

/**
 * What is printed for payers, in their language and as the institution wants it: head with logo, address, facts, tables,
 * the institution's text, and how to pay.
 */
export class Letters {
  readonly #pages: PrintedPages
  readonly #sender: Sender
  readonly #language: PublicLocale
  #hasBegun = false

  private constructor(pages: PrintedPages, sender: Sender, language: PublicLocale) {
    this.#pages = pages
    this.#sender = sender
    this.#language = language
  }

  /** @param content Every text that is printed, in any shape: fonts are loaded for them. */
  static async open(
    sender: Sender,
    { title, language }: { readonly title: string; readonly language: PublicLocale },
    content: PrintedContent,
  ): Promise<Letters> {
    const { print, creditor } = sender.settings
    const about = { title, author: sender.institution, language }
    const pages = await PrintedPages.open(about, [
      content,
      { ...print, logo: null },
      creditor?.name,
      messagesIn(language).letters,
    ])
    return new Letters(pages, sender, language)
  }

  /** Begins a letter on a page of its own: who writes, to whom, and what it is. */
  begin(title: string, { name, address, postalCode, city, country }: AccountRecord): void {
    const pages = this.#pages
    if (this.#hasBegun) pages.nextPage()
    this.#hasBegun = true
    const { institution, settings } = this.#sender
    const { logo, address: own } = settings.print
    if (logo !== null) {
      const { y } = pages
      const place = { x: pages.margin + pages.width - 150, y, width: 150, height: 50 }
      pages.picture(Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64'), place, institution)
      pages.y = y
    }
    const width = pages.width - (logo === null ? 0 : 160)
    pages.text(institution, { bold: true, size: 18, width })
    if (own !== null) {
      pages.text(`${own.street}, ${own.postalCode} ${own.city}, ${own.country}`, { size: 9, color: ink.faint, width })
    }
    pages.y = Math.max(pages.y + 5, logo === null ? 0 : pages.margin + 55)
    pages.rule(ink.text)
    pages.y += 14
    const place = [postalCode, city].filter((part) => part).join(' ')
    for (const line of [name, address, place, country]) if (line) pages.text(line)
    pages.y += 18
    pages.text(title, { bold: true, size: 14, role: 'H1' })
    pages.y += 8
  }

  facts(shown: readonly (readonly [string, string])[]): void {
    this.#pages.facts(shown)
    this.#pages.y += 10
  }

  text(text: string): void {
    for (const paragraph of text.split(/\n{2,}/)) {
      this.#pages.keep(this.#pages.getHeight(paragraph, this.#pages.width, 10) + 8)
      this.#pages.text(paragraph)
      this.#pages.y += 8
    }
  }

  /** What the institution says on documents of a kind. */
  ownText(kind: Kind): void {
    const text = this.#translated(this.#sender.settings.print.notes[kind] ?? null)
    if (text === '') return
    this.#pages.y += 8
    this.text(text)
  }

  /** Rows under headings, which every page repeats. A row of one text begins with it in bold. */
  table(columns: readonly LetterColumn[], rows: readonly (readonly string[])[]): void {
    const pages = this.#pages
    const row = (texts: readonly string[], bold: boolean) => {
      const { y } = pages
      let left = pages.margin
      const ends = columns.map(({ width, align }, index) => {
        pages.text(texts[index] ?? '', {
          x: left,
          y,
          width: width * pages.width - 6,
          align: align ?? 'left',
          size: 9,
          bold,
        })
        left += width * pages.width
        return pages.y
      })
      pages.y = Math.max(...ends) + 4
    }
    const heading = () => {
      row(
        columns.map((column) => column.heading),
        true,
      )
      pages.rule(ink.line)
      pages.y += 4
    }
    pages.keep(60)
    heading()
    for (const texts of rows) {
      if (pages.keep(30)) heading()
      row(texts, false)
    }
    pages.y += 8
  }

  /** How to pay what is open: the account, and a code where the payer's bank reads one. */
  payment(payer: AccountRecord, asked: Pick<Transfer, 'amount' | 'reference'>): void {
    const { settings, institution } = this.#sender
    const transfer = findTransfer(settings, institution, payer, asked)
    if (transfer === null) return
    const bill = toSwissBill(transfer, settings, payer)
    const messages = messagesIn(this.#language).letters
    const pages = this.#pages
    pages.keep(130)
    pages.y += 8
    pages.text(messages.transfer, { bold: true, role: 'H2' })
    pages.y += 6
    const { y } = pages
    const squares = bill === null ? encodeTransfer(transfer) : null
    const facts = [
      [messages.recipient, transfer.name],
      ['IBAN', transfer.iban.replace(/(.{4})(?=.)/g, '$1 ')],
      [messages.amount, money(transfer.amount, transfer.currency)],
      [messages.reference, transfer.reference ?? transfer.text],
    ] as const
    for (const [label, value] of facts) {
      const top = pages.y
      const x = pages.margin + (squares === null ? 0 : 110)
      pages.text(label, { x, y: top, width: 80, size: 9, color: ink.faint })
      pages.text(value, { x: x + 82, y: top, width: pages.width - 200, bold: true })
      pages.y += 3
    }
    if (squares !== null) {
      pages.squares(squares, { x: pages.margin, y, width: 96 }, messages.transfer)
      pages.y = Math.max(pages.y, y + 104)
    }
    if (bill !== null) {
      const { SwissQRBill } = load('swissqrbill/pdf') as typeof import('swissqrbill/pdf')
      const language = this.#language === 'fr' ? 'FR' : 'EN'
      pages.drawnPage(messages.transfer, (document) => new SwissQRBill(bill, { language }).attachTo(document))
    }
  }

  /** Ends the document, with the institution's foot or a text on every page. */
  finish(foot: string): Promise<Buffer> {
    const own = this.#translated(this.#sender.settings.print.footer)
    return this.#pages.finish(own || foot, messagesIn(this.#language).letters.page)
  }

  /** What the institution says, in the language of the payer where it has it, else in its own. */
  #translated(text: PrintStyle['footer']): string {
    if (text === null || typeof text === 'string') return text ?? ''
    return text[this.#language] ?? text[this.#sender.language] ?? Object.values(text)[0] ?? ''
  }
}
