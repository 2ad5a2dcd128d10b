import { availableParallelism } from 'node:os'
import { FairQueue, type Origin, QueueFull } from '../../concurrency/index.ts'
import { Problem } from '../../errors/index.ts'
import { hashOfPassword, isPassword } from './passwords.ts'

/**
 * Each work holds one of node's four threads for files, names and the like, of which two must stay free; and one processor
 * is for everything else. Each takes 64 MiB.
 */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))

/** So many wait for no more than some ten seconds. */
const maxWaiting = 120

/**
 * Does the work of passwords for people who log in: off the main thread, a few at once, the others by turns among the tenants
 * and the addresses (`FairQueue`). Throws `service_unavailable` with `Retry-After` where too many wait.
 */
export class PasswordHasher {
  readonly #queue: FairQueue
  /** How long a work lately took, in milliseconds. */
  #milliseconds = 100

  constructor(queue = new FairQueue({ atOnce, most: maxWaiting })) {
    this.#queue = queue
  }

  /** Throws `service_unavailable` where work from there would be refused now, before anything else is done for it. */
  requireRoom(origin: Origin): void {
    if (this.#queue.isFullFor(origin)) throw this.#refusal()
  }

  /** What is stored of a password. */
  hash(origin: Origin, password: string): Promise<string> {
    return this.#run(origin, () => hashOfPassword(password))
  }

  /** Whether a password is the stored one. */
  isPassword(origin: Origin, password: string, storedHash: string | null): Promise<boolean> {
    return this.#run(origin, () => isPassword(password, storedHash))
  }

  async #run<Result>(origin: Origin, work: () => Promise<Result>): Promise<Result> {
    const timed = async () => {
      const begun = performance.now()
      try {
        return await work()
      } finally {
        this.#milliseconds += (performance.now() - begun - this.#milliseconds) / 10
      }
    }
    return this.#queue.run(origin, timed).catch((error: unknown) => {
      throw error instanceof QueueFull ? this.#refusal() : error
    })
  }

  #refusal(): Problem {
    const seconds = Math.ceil((this.#queue.waiting * this.#milliseconds) / atOnce / 1000)
    const detail = `Too many people log in just now. Try again in ${Math.max(1, seconds)} s.`
    return new Problem('service_unavailable', detail, {}, { 'retry-after': String(Math.max(1, seconds)) })
  }
}
