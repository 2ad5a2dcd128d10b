import { Cancelled } from '../database-errors.ts'

/** Work of which whoever asked for it at the same time gets the same outcome. Its signal is aborted when nobody wants it any more. */
type Work<Result> = (signal: AbortSignal) => Promise<Result>

/**
 * Work that takes long and that several ask for at once, done for all of them together. Whoever asks while it is being done waits for the
 * next time, which begins when this one has ended: so what it reads is never older than the question, and however many ask, it is done once at a
 * time.
 */
export class SharedWork {
  /** What is being done, by key, with what begins after it: null until somebody asks for it. */
  readonly #next = new Map<string, Round | null>()

  /**
   * Does the work of a key, or waits for whoever does it next. What comes out belongs to all who asked, so nobody changes it.
   *
   * @param signal Of the one who asks: the others go on without it
   * @throws WorkUnwanted when the signal is aborted, and what the work throws
   */
  do<Result>(key: string, signal: AbortSignal | null, work: Work<Result>): Promise<Result> {
    if (signal?.aborted) return Promise.reject(new Cancelled())
    const next = this.#next.get(key)
    const round = next == null || next.isUnwanted ? new Round(work) : next
    const outcome = round.join(signal) as Promise<Result>
    if (next === undefined) this.#run(key, round)
    else this.#next.set(key, round)
    return outcome
  }

  #run(key: string, round: Round): void {
    this.#next.set(key, null)
    void round.run().then(() => {
      const next = this.#next.get(key)
      if (next == null) this.#next.delete(key)
      else this.#run(key, next)
    })
  }
}

/** One time that work is done. */
class Round {
  readonly #work: Work<unknown>
  readonly #unwanted = new AbortController()
  readonly #outcome: Promise<unknown>
  #begin: () => void = () => {}
  #wanting = 0

  constructor(work: Work<unknown>) {
    this.#work = work
    this.#outcome = new Promise<void>((resolve) => {
      this.#begin = resolve
    }).then(() => (this.isUnwanted ? undefined : this.#work(this.#unwanted.signal)))
  }

  /** Whether all who asked for it are gone. */
  get isUnwanted(): boolean {
    return this.#unwanted.signal.aborted
  }

  /** Does it, and resolves when it is over, however it ended. */
  run(): Promise<void> {
    this.#begin()
    return this.#outcome.then(
      () => {},
      () => {}, // told to those who wait
    )
  }

  join(signal: AbortSignal | null): Promise<unknown> {
    this.#wanting += 1
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#wanting -= 1
        if (this.#wanting === 0) this.#unwanted.abort()
        reject(new Cancelled())
      }
      signal?.addEventListener('abort', leave, { once: true })
      const stay = () => signal?.removeEventListener('abort', leave)
      this.#outcome.finally(stay).then(resolve, reject)
    })
  }
}
