import { setTimeout as pause } from 'node:timers/promises'
import { type Binaries, removeOtherBinaries } from './binaries.ts'
import { EmbeddedPostgresError, useAnotherDatabase } from './embedded-postgres-error.ts'
import type { Place } from './location.ts'
import type { Log } from './operator-log.ts'
import { endOrphans, findPostmaster, type LaunchedServer, launchServer, shutDown } from './postmaster.ts'
import { type Connected, callServer } from './server-connection.ts'
import { prepareSocketFolder } from './socket-folder.ts'

const pollInterval = 12

/** A server may be slow to begin, or to see that its folder was taken away, which it checks every minute. */
const signTimeoutMs = 90_000

/** A server that answers that it starts is repeating what it wrote before a crash. */
const recoveryTimeoutMs = 600_000

/** The pauses between them add up to about six seconds. */
const maxLaunches = 8

/**
 * Connects to the server of this cluster, whoever started it, and starts it when it does not run.
 *
 * @param signal ends that: a server that was started here and does not answer yet is stopped, and the signal's reason thrown
 * @throws EmbeddedPostgresError when it does not start, or runs without answering
 */
export async function reachServer(
  location: Place,
  binaries: Binaries,
  application: string,
  log: Log,
  signal: AbortSignal,
): Promise<Connected & { readonly launchedHere: boolean }> {
  const begun = Date.now()
  let socketFolder = await prepareSocketFolder(location)
  let launched: LaunchedServer | undefined
  let announced = false
  for (let launches = 0; ; ) {
    const response = await callServer(location, socketFolder, application)
    if (response.state === 'connected') {
      const launchedHere = response.pid === launched?.pid
      if (launchedHere) await removeOtherBinaries(location.folder, binaries)
      return { ...response, launchedHere }
    }
    if (signal.aborted) {
      if (launched?.isRunning() && launched.pid !== undefined) await shutDown(launched.pid, location.cluster)
      throw signal.reason
    }
    const waited = Date.now() - begun
    if (waited > 5000 && !announced) {
      log.info('The embedded PostgreSQL is still busy starting or stopping, or does not answer')
      announced = true
    }
    if (waited > (response.state === 'starting' ? recoveryTimeoutMs : signTimeoutMs)) {
      throw await silence(location, launched)
    }
    if (response.state === 'absent' && !launched?.isRunning() && !(await findPostmaster(location.cluster))) {
      if (launched !== undefined) {
        if (launches === maxLaunches) throw await failure(location, launched)
        await endOrphans(location.cluster, signal)
        await pause(25 * 2 ** launches)
        socketFolder = await prepareSocketFolder(location)
      }
      launched = await launchServer(location, binaries, socketFolder)
      launches += 1
    }
    await pause(pollInterval)
  }
}

async function failure(location: Place, launched: LaunchedServer): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL does not start on ${location.cluster}. Mend what it says, or set DATABASE_URL. ` +
      `It says:\n${await launched.lastWords()}`,
  )
}

async function silence(location: Place, launched: LaunchedServer | undefined): Promise<EmbeddedPostgresError> {
  const running = await findPostmaster(location.cluster)
  if (launched?.isRunning() && launched.pid !== undefined) process.kill(launched.pid, 'SIGQUIT')
  return new EmbeddedPostgresError(
    running === undefined || running.pid === launched?.pid
      ? `The embedded PostgreSQL on ${location.cluster} does not answer; see ${location.folder}/postgres.log. ${useAnotherDatabase}`
      : `A PostgreSQL (process ${running.pid}) runs on ${location.cluster} and does not answer. ` +
          `End it (kill -9 ${running.pid}; nothing acknowledged is lost) and start again.`,
  )
}
