import { setTimeout as pause } from 'node:timers/promises'
import { createdEvents, type DeedKind, deedKinds, type Mark, paymentIds, Rejected, type School } from './deeds.ts'
import { NoResponse, type Place } from './place.ts'

/** What became of the writes of a round. */
export interface Balance {
  readonly acknowledged: number
  readonly givenUp: number
  readonly attempts: number
  /** Acknowledged, and not there. */
  readonly lost: readonly string[]
  /** There more than once, or told of more than once. */
  readonly doubled: readonly string[]
}

/** How long a write may go unanswered before it is sent again, at first and at most, in milliseconds. */
const waits = { first: 50, longest: 1_000 }

/** One of so many writes is given up when it gets no answer, as by a client that has ended: it may be there, once at most. */
const givenUpOneIn = 10

/** How many write at once, and how often. */
export interface Pace {
  readonly clientsOfEach: number
  /** How long it takes from one write of a client to its next, in milliseconds; 0: as fast as they are answered. */
  readonly everyMilliseconds?: number
}

/** Clients that write all kinds of deeds until they are stopped, and send what got no answer again until it has one. */
export class Writers {
  readonly #location: Place
  readonly #school: School
  readonly #mark: Mark
  readonly #everyMilliseconds: number
  readonly #outcomes = new Map<string, Map<string, 'acknowledged' | 'given up'>>()
  readonly #running: Promise<void>[] = []
  #isOver = false
  #failure: unknown
  #acknowledged = 0
  #attempts = 0

  constructor(location: Place, school: School, mark: Mark, { clientsOfEach, everyMilliseconds = 0 }: Pace) {
    this.#location = location
    this.#school = school
    this.#mark = mark
    this.#everyMilliseconds = everyMilliseconds
    for (const [kind, deed] of Object.entries(deedKinds)) {
      this.#outcomes.set(kind, new Map())
      for (let client = 0; client < clientsOfEach; client += 1) {
        const writing = this.#write(kind, deed, client).catch((error) => {
          this.#failure ??= error
          this.#isOver = true
        })
        this.#running.push(writing)
      }
    }
  }

  /** How many writes are acknowledged. Throws `Rejected` where the service refused one. */
  get acknowledged(): number {
    if (this.#failure !== undefined) throw this.#failure
    return this.#acknowledged
  }

  /**
   * Begins no more writes, waits until those under way are acknowledged, and compares them with what is there.
   *
   * @throws Refused where the service refused one
   */
  async stop(): Promise<Balance> {
    this.#isOver = true
    await Promise.all(this.#running)
    if (this.#failure !== undefined) throw this.#failure
    const lost: string[] = []
    const doubled: string[] = []
    for (const [kind, deed] of Object.entries(deedKinds)) {
      const counts = await deed.count(this.#location, this.#mark)
      for (const [name, outcome] of this.#outcomes.get(kind) ?? []) {
        const count = counts.get(name) ?? 0
        if (count === 0 && outcome === 'acknowledged') lost.push(`${kind}: ${name}`)
        if (count > 1) doubled.push(`${kind}: ${name}`)
      }
    }
    const reported = await createdEvents(this.#location, this.#mark)
    for (const id of await paymentIds(this.#location, this.#mark)) {
      const count = reported.get(id) ?? 0
      if (count === 0) lost.push(`the event of payment ${id}`)
      if (count > 1) doubled.push(`the event of payment ${id}`)
    }
    const givenUp = [...this.#outcomes.values()].flatMap((outcomes) => [...outcomes.values()])
    return {
      acknowledged: this.#acknowledged,
      givenUp: givenUp.filter((outcome) => outcome === 'given up').length,
      attempts: this.#attempts,
      lost,
      doubled,
    }
  }

  async #write(kind: string, deed: DeedKind, client: number): Promise<void> {
    const outcomes = this.#outcomes.get(kind) as Map<string, 'acknowledged' | 'given up'>
    const word = kind.includes('fee') ? 'fee' : (kind.split(' ')[1] as string)
    const begun = performance.now()
    for (let number = 0; !this.#isOver; number += 1) {
      await pause(Math.max(0, begun + number * this.#everyMilliseconds - performance.now()))
      const name = `${this.#mark.prefix}${word}-${client}-${number}`
      const isImpatient = number % givenUpOneIn === givenUpOneIn - 1
      outcomes.set(name, (await this.#insist(deed, name, isImpatient)) ? 'acknowledged' : 'given up')
    }
  }

  /** Does a deed until it is acknowledged; whether it was. */
  async #insist(deed: DeedKind, name: string, isImpatient: boolean): Promise<boolean> {
    for (let wait = waits.first; ; wait = Math.min(waits.longest, wait * 2)) {
      this.#attempts += 1
      try {
        await deed.attempt(this.#location, this.#school, name)
        this.#acknowledged += 1
        return true
      } catch (error) {
        if (error instanceof Rejected) throw new Rejected(`${name}: ${error.message}`)
        if (!(error instanceof NoResponse)) throw error
        if (isImpatient || this.#failure !== undefined) return false
      }
      await pause(wait)
    }
  }
}
