import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

/** An amount as it was booked: the text of it, so that what is taken back is what was put in. */
export interface Booking {
  readonly amount: string
  readonly currency: string
}

/** What a row says beside its amount. */
export interface BookingFacts {
  readonly paymentId: string
  readonly externalId: string | null
  readonly studentCode: string
  readonly description: string
}

const columns = ['bookedAt', 'paymentId', 'externalId', 'studentCode', 'description', 'amount', 'currency'] as const
type Row = Record<(typeof columns)[number], string>

/**
 * A ledger in a folder: `ledger.csv`, to which rows are only ever added, and `position`, how far the feed is booked. A process that dies while
 * it writes leaves half a row at most, which the next one takes away.
 */
export class Ledger {
  readonly #folder: string
  readonly #file: FileHandle
  readonly #booked = new Map<string, Booking>()

  private constructor(folder: string, file: FileHandle, rows: readonly Row[]) {
    this.#folder = folder
    this.#file = file
    for (const row of rows) this.#keep(row)
  }

  static async open(folder: string): Promise<Ledger> {
    const file = await open(join(folder, 'ledger.csv'), 'a+')
    const text = await file.readFile('utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole))
    if (whole === '') await file.appendFile(getLine(columns))
    const rows = parse(whole, { columns: true }) as Row[]
    return new Ledger(folder, file, rows)
  }

  /** The position of the feed up to which everything is booked; null before the first time. */
  position(): Promise<string | null> {
    return readFile(join(this.#folder, 'position'), 'utf8').catch(() => null)
  }

  async keepPosition(position: string): Promise<void> {
    const path = join(this.#folder, 'position')
    await writeFile(`${path}.new`, position, { flush: true })
    await rename(`${path}.new`, path)
  }

  /**
   * Makes the ledger say that this is what was received for a payment, null for nothing: takes back what it says now, and adds what it is to
   * say. Where it says so already, nothing is written, so that the same may be booked any number of times.
   */
  async book(facts: BookingFacts, wanted: Booking | null): Promise<void> {
    const now = this.#booked.get(facts.paymentId) ?? null
    if (now?.amount === wanted?.amount && now?.currency === wanted?.currency) return
    const bookedAt = new Date().toISOString()
    const { paymentId, externalId, studentCode, description } = facts
    const row = (booking: Booking): Row => ({
      bookedAt,
      paymentId,
      externalId: externalId ?? '',
      studentCode,
      description,
      ...booking,
    })
    const rows = [now && row({ ...now, amount: `-${now.amount}` }), wanted && row(wanted)].filter((one) => one !== null)
    await this.#file.appendFile(rows.map((one) => getLine(columns.map((column) => one[column]))).join(''))
    await this.#file.datasync()
    for (const one of rows) this.#keep(one)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #keep({ paymentId, amount, currency }: Row): void {
    if (amount.startsWith('-')) this.#booked.delete(paymentId)
    else this.#booked.set(paymentId, { amount, currency })
  }
}

/** A line of CSV (RFC 4180). A text that a spreadsheet would run is marked as text. */
function getLine(values: readonly string[]): string {
  const cells = values.map((value) => {
    const isRun = /^[=+@\t\r]/.test(value) || (value.startsWith('-') && Number.isNaN(Number(value)))
    const text = isRun ? `'${value}` : value
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${cells.join(',')}\n`
}
