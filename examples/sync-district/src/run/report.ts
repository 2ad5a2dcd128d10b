import type { Place } from '../files/csv-rows.ts'

/** In the order in which they are told: those of the Client API, then those of the Resource and Method API. */
const kinds = [
  'students',
  'applications',
  'contacts',
  'payments',
  'years',
  'terms',
  'courses',
  'instructors',
  'groups',
  'members',
  'attendance',
] as const
export type RecordKind = (typeof kinds)[number]

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
  readonly #tallies: ReadonlyMap<RecordKind, Map<Outcome, number>> = new Map(kinds.map((kind) => [kind, new Map()]))
  readonly failures: string[] = []
  readonly notes: string[] = []

  count(kind: RecordKind, outcome: Outcome, times = 1): void {
    const tally = this.#tallies.get(kind)
    if (times > 0) tally?.set(outcome, (tally.get(outcome) ?? 0) + times)
  }

  /** A row that is not in step and why, in one line. */
  fail(location: Place, code: string, detail: string): void {
    this.failures.push(getLine(location, code, detail))
  }

  /** A row that is in step and has something to mend. */
  note(location: Place, code: string, detail: string): void {
    this.notes.push(`note: ${getLine(location, code, detail)}`)
  }

  /** The run could not go on. */
  giveUp(reason: string): void {
    this.failures.push(reason)
  }

  /** The last word of a run that was not stopped. */
  get verdict(): string {
    const { length } = this.failures
    if (length > 0) return `Not everything is in step: ${length} ${length === 1 ? 'failure' : 'failures'}.`
    const hasWritten = [...this.#tallies.values()].some((tally) => writes.some((outcome) => tally.has(outcome)))
    return hasWritten ? 'Everything is in step.' : 'Nothing changed: everything was in step already.'
  }

  /** A line per kind of record that was come to, each with its line end. */
  summary(): string {
    return [...this.#tallies]
      .filter(([, tally]) => tally.size > 0)
      .map(([kind, tally]) => {
        const reported = outcomes.filter((outcome) => tally.has(outcome))
        return `${kind.padEnd(12)} ${reported.map((outcome) => `${tally.get(outcome)} ${outcome}`).join(', ')}\n`
      })
      .join('')
  }
}

function getLine({ file, line }: Place, code: string, detail: string): string {
  return `${file}:${line} ${code}: ${detail.replace(/\s+/g, ' ')}`
}
