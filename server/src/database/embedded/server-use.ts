import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError, explainFileError } from './embedded-postgres-error.ts'
import type { Place } from './location.ts'
import {
  applicationName,
  becomeService,
  endUse,
  ensureDatabase,
  findService,
  markInUse,
  type Purpose,
} from './locks.ts'
import type { Log } from './operator-log.ts'
import { shutDown } from './postmaster.ts'
import { isAlive } from './processes.ts'
import { type Address, type Connected, callServer, stateFromError } from './server-connection.ts'
import { followLog, type ServerReport } from './server-reports.ts'
import { reachServer } from './server-start.ts'
import { removeSocketFolder } from './socket-folder.ts'

/** What a process needs to use the server of a data folder. */
export interface Usage {
  readonly place: Place
  readonly binaries: Binaries
  readonly purpose: Purpose
  readonly database: string
  readonly log: Log
  /** Hears what the server says of itself, where this process is a service. */
  readonly onReport?: ((report: ServerReport) => void) | undefined
}

/** Milliseconds that a service's lock may outlive it, when it lives or not. */
const graceForLiving = 500
const graceForDead = 10_000

/** Milliseconds that a start waits for others to finish stopping the server, and a stop for a server to answer. */
const stopTimeoutMs = 120_000

/** The longest pause between attempts to start a server again that ended by itself, in milliseconds. */
const longestBackoff = 5000

/**
 * One process's use of the server. It lasts as long as its connection holds the locks that say so; when that breaks,
 * the server is started again if need be, and the locks are taken again.
 */
export class ServerUse {
  readonly #usage: Usage
  readonly #stopping = new AbortController()
  #connected: Connected | undefined
  #socketFolder = ''
  #recovery: Promise<void> = Promise.resolve()
  #ended: Promise<void> | undefined
  #stopFollowing: () => void = () => {}

  private constructor(usage: Usage) {
    this.#usage = usage
  }

  /**
   * Begins to use the server, and starts it when it does not run.
   *
   * @param signal ends that: the server is let go, and the signal's reason thrown
   * @throws EmbeddedPostgresError when a second service asks, or the server does not start
   */
  static async begin(usage: Usage, signal: AbortSignal): Promise<{ use: ServerUse; address: Address }> {
    const use = new ServerUse(usage)
    const { place: location, purpose, onReport } = usage
    if (purpose === 'service' && onReport !== undefined) {
      use.#stopFollowing = await followLog(join(location.folder, 'postgres.log'), onReport)
    }
    try {
      const { address } = await use.#enter(signal)
      return { use, address }
    } catch (error) {
      use.#stopFollowing()
      throw error
    }
  }

  /** Lets go of the server, and stops it when nobody else uses it. May be called again. */
  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #enter(signal: AbortSignal): Promise<Connected> {
    const { place: location, binaries, purpose, database, log } = this.#usage
    const deadline = Date.now() + stopTimeoutMs
    for (;;) {
      const connected = await reachServer(location, binaries, applicationName(purpose), log, signal)
      try {
        if (await markInUse(connected.client)) {
          signal.throwIfAborted()
          if (purpose === 'service') await this.#becomeService(connected)
          await ensureDatabase(connected.client, database)
          this.#watch(connected)
          const begins = connected.launchedHere ? 'runs' : 'was already running'
          log.info(
            `The embedded PostgreSQL ${begins} (process ${connected.pid}), its database is in ${location.cluster}`,
          )
          return connected
        }
        await connected.client.end()
      } catch (error) {
        if (!hasEnded(error)) {
          await this.#letGo(connected).catch(() => undefined)
          throw error
        }
        void connected.client.end().catch(() => undefined)
      }
      if (Date.now() > deadline) {
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL (process ${connected.pid}) has been stopping for too long. ` +
            `End it (kill -9 ${connected.pid}; nothing acknowledged is lost) and start again.`,
        )
      }
      await pause(20)
    }
  }

  async #becomeService({ client }: Connected): Promise<void> {
    const begun = Date.now()
    while (!(await becomeService(client))) {
      const other = await findService(client)
      const grace = other !== undefined && isAlive(other) ? graceForLiving : graceForDead
      if (Date.now() - begun > grace) {
        throw new EmbeddedPostgresError(
          `Another service (process ${other ?? 'unknown'}) already runs on the data folder ${this.#usage.place.dataDir}. ` +
            'Stop it first, or start this one with another DATA_DIR.',
        )
      }
      await pause(20)
    }
  }

  /** Notices the end of the server by the end of the connection, which every way to end has in common. */
  #watch(connected: Connected): void {
    this.#connected = connected
    this.#socketFolder = connected.address.host
    connected.client.unref()
    connected.client.once('end', () => {
      this.#connected = undefined
      if (!this.#stopping.signal.aborted) this.#recovery = this.#recover()
    })
  }

  async #recover(): Promise<void> {
    const { log } = this.#usage
    const { signal } = this.#stopping
    log.warn('The embedded PostgreSQL ended or broke its connections: starting it again')
    for (let backoff = 50; !signal.aborted; backoff = Math.min(2 * backoff, longestBackoff)) {
      try {
        await this.#enter(signal)
        return
      } catch (error) {
        if (!signal.aborted) log.warn((explainFileError(error) as Error).message)
      }
      await pause(backoff, undefined, { ref: false, signal }).catch(() => undefined)
    }
  }

  async #end(): Promise<void> {
    const { place: location, purpose, log } = this.#usage
    this.#stopping.abort()
    this.#stopFollowing()
    await this.#recovery
    const deadline = Date.now() + stopTimeoutMs
    let connected = this.#connected
    for (;;) {
      try {
        if (connected !== undefined) return await this.#letGo(connected)
      } catch (error) {
        if (!hasEnded(error)) throw error
      }
      const response = await callServer(location, this.#socketFolder, applicationName(purpose))
      if (response.state === 'absent') return
      connected = response.state === 'connected' ? response : undefined
      if (Date.now() > deadline) return log.warn('The embedded PostgreSQL does not answer, and is left as it is.')
      await pause(20)
    }
  }

  async #letGo({ client, address, pid }: Connected): Promise<void> {
    const { place: location, log } = this.#usage
    client.ref()
    if (await endUse(client)) {
      if (await shutDown(pid, location.cluster)) log.info('The embedded PostgreSQL has stopped')
      else log.warn(`The embedded PostgreSQL (process ${pid}) is out of reach of this process and is left running.`)
      await removeSocketFolder(address.host, location)
    }
    await client.end()
  }
}

function hasEnded(error: unknown): boolean {
  try {
    return stateFromError(error) !== undefined
  } catch {
    return false
  }
}
