/** Gives out the names of a series, such as `EDU-STU-2026-00001`, in the order of their moments. */
export class CodeSeries {
  readonly #prefix: string
  readonly #year: Intl.DateTimeFormat
  readonly #numbers = new Map<string, number>()

  constructor(prefix: string, timeZone: string) {
    this.#prefix = prefix
    this.#year = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' })
  }

  /** The next name of the moment's year in the tenant's time zone. */
  next(moment: number): string {
    const head = `${this.#prefix}-${this.#year.format(moment)}-`
    const number = (this.#numbers.get(head) ?? 0) + 1
    this.#numbers.set(head, number)
    return getCode(head, number)
  }

  /** The last name of each year. */
  lastOfEachYear(): string[] {
    return [...this.#numbers].map(([head, number]) => getCode(head, number))
  }
}

function getCode(head: string, number: number): string {
  return head + String(number).padStart(5, '0')
}
