import { availableParallelism } from 'node:os'
import { FairQueue, type Origin, QueueFull } from '../../concurrency/index.ts'
import { Problem } from '../../errors/index.ts'
import { hashOfPassword, isPassword } from './passwords.ts'

/**
 * Hashing concurrency: each hash holds one of the four threads of the libuv pool, of which two stay free, and one
 * processor is left for the main thread. Each takes 64 MiB.
 */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Maximum queue, about ten seconds of work. */
const maxWaiting = 120

/**
 * Hashes and verifies passwords off the main thread, a few at once, in a fair queue by tenant and address
 * (`FairQueue`). Throws `service_unavailable` with `Retry-After` where too many wait.
 */
export class PasswordHasher {
  readonly #queue: FairQueue
  /** Recent duration of a hash, in milliseconds. */
  #milliseconds = 100

  constructor(queue = new FairQueue({ atOnce, most: maxWaiting })) {
    this.#queue = queue
  }

  /** Throws `service_unavailable` where the queue is full for an origin, before anything else is done. */
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
