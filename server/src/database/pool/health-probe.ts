import pg from 'pg'
import { unreachable } from '../database-errors.ts'
import { cutOff } from './driver.ts'

/** Milliseconds between two looks. A look counts as no more, however late it comes: a busy process is not a silent database. */
const lookEvery = 250

/** So many looks without a word from the database, while it was asked something, and it is taken for hung: three seconds. */
const maxSilentLooks = 12

/** After how many looks it is asked again. */
const looksBetweenQuestions = 2

/** Looks after which a question that is still open while the database answers others is put on another connection. */
const maxLooksOfOneQuestion = 120

interface HealthProbeOptions {
  /** Whether anything came from the database, over any connection, since it was asked the last time. */
  readonly hasSpoken: () => boolean
  /** The database hangs: what waits for it waits in vain. */
  readonly onLost: () => void
  /** It answers again. */
  readonly onBack: () => void
}

/**
 * Asks the database all the time, over a connection of its own, whether it is there. One that is stopped keeps its connections
 * and takes new ones, and only its silence tells. Statements themselves may take long, so that their time says nothing.
 */
export class HealthProbe {
  readonly #config: pg.ClientConfig
  readonly #options: HealthProbeOptions
  #timer: NodeJS.Timeout | undefined
  #client: pg.Client | undefined
  #isLost = false
  /** Looks since the database was asked, or since it answered. */
  #looks = 0
  #silentLooks = 0
  #isAsked = false

  constructor(config: pg.ClientConfig, options: HealthProbeOptions) {
    this.#config = { ...config, connectionTimeoutMillis: 0 }
    this.#options = options
  }

  /** Whether the database hangs. It is noticed by itself when it goes on. */
  get isLost(): boolean {
    return this.#isLost
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), lookEvery).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#drop()
  }

  #look(): void {
    this.#looks += 1
    if (!this.#isAsked) {
      if (this.#looks >= looksBetweenQuestions) this.#ask()
      return
    }
    // Asked first, so that a word is not counted for the next look too.
    const hasSpoken = this.#options.hasSpoken()
    this.#silentLooks = hasSpoken ? 0 : this.#silentLooks + 1
    if (this.#silentLooks >= maxSilentLooks) this.#lose()
    else if (this.#looks >= maxLooksOfOneQuestion) this.#drop()
  }

  #ask(): void {
    const client = this.#client ?? this.#open()
    this.#isAsked = true
    this.#looks = 0
    this.#silentLooks = 0
    this.#options.hasSpoken() // what it said before counts no more
    client.query('select 1').then(
      () => client === this.#client && this.#answered(),
      () => client === this.#client && this.#drop(), // what is broken fails by itself, and is no silence
    )
  }

  #open(): pg.Client {
    const client = new pg.Client({ ...this.#config, pipeline: true } as pg.ClientConfig)
    this.#client = client
    client.on('error', () => client === this.#client && this.#drop())
    client.connect().catch(() => client === this.#client && this.#drop())
    return client
  }

  #answered(): void {
    this.#isAsked = false
    this.#looks = 0
    if (!this.#isLost) return
    this.#isLost = false
    this.#options.onBack()
  }

  #lose(): void {
    const isNew = !this.#isLost
    this.#isLost = true
    this.#drop()
    if (isNew) this.#options.onLost()
  }

  /** Gives up the connection; the next question opens another one. */
  #drop(): void {
    const client = this.#client
    this.#client = undefined
    this.#isAsked = false
    this.#looks = 0
    if (client !== undefined) cutOff(client, unreachable())
  }
}
