import type { Place } from './csv-rows.ts'

export type RecordKind = 'students' | 'applications' | 'contacts' | 'payments'

/** In the order in which they are told. */
const outcomes = [
  'created',
  'linked',
  'updated',
  'unlinked',
  'unchanged',
  'refused',
  'left out',
  'not reached',
] as const
export type Outcome = (typeof outcomes)[number]

const writes: readonly Outcome[] = ['created', 'linked', 'updated', 'unlinked']

/** What became of the rows. */
export class Report {
  readonly #tallies: Record<RecordKind, Map<Outcome, number>> = {
    students: new Map(),
    applications: new Map(),
    contacts: new Map(),
    payments: new Map(),
  }
  readonly failures: string[] = []
  readonly notes: string[] = []

  count(kind: RecordKind, outcome: Outcome, times = 1): void {
    const tally = this.#tallies[kind]
    if (times > 0) tally.set(outcome, (tally.get(outcome) ?? 0) + times)
  }

  /** A row that is not in step and why, in one line. */
  fail(place: Place, code: string, detail: string): void {
    this.failures.push(lineOf(place, code, detail))
  }

  /** A row that is in step and has something to mend. */
  note(place: Place, code: string, detail: string): void {
    this.notes.push(`note: ${lineOf(place, code, detail)}`)
  }

  /** The run could not go on. */
  giveUp(reason: string): void {
    this.failures.push(reason)
  }

  /** The last word of a run that was not stopped. */
  get verdict(): string {
    const { length } = this.failures
    if (length > 0) return `Not everything is in step: ${length} ${length === 1 ? 'failure' : 'failures'}.`
    const hasWritten = Object.values(this.#tallies).some((tally) => writes.some((outcome) => tally.has(outcome)))
    return hasWritten ? 'Everything is in step.' : 'Nothing changed: everything was in step already.'
  }

  /** A line per kind of record that was come to, each with its line end. */
  summary(): string {
    return Object.entries(this.#tallies)
      .filter(([, tally]) => tally.size > 0)
      .map(([kind, tally]) => {
        const told = outcomes.filter((outcome) => tally.has(outcome))
        return `${kind.padEnd(12)} ${told.map((outcome) => `${tally.get(outcome)} ${outcome}`).join(', ')}\n`
      })
      .join('')
  }
}

function lineOf({ file, line }: Place, code: string, detail: string): string {
  return `${file}:${line} ${code}: ${detail.replace(/\s+/g, ' ')}`
}
