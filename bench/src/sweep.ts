import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../server/dist/database/index.js'
import { Caller } from '../../server/dist/testing/caller.js'
import { RecordCaller } from '../../server/dist/testing/record-caller.js'
import { type Runner, raceSweeps } from '../../server/dist/testing/sweep-race.js'
import { type BenchService, end, freePort, untilReady } from './bench-service.ts'

/**
 * Sweeps through two services on one database, the second with two workers, while both surfaces write, and prints how many
 * records no sweep saw. Fails when one was missed. Runs for a minute, or for as many seconds as the word behind it says.
 */
export async function printSweeps(service: BenchService): Promise<void> {
  const seconds = Number(process.argv[3] ?? 60)
  const { token, key } = await service.fill('sweep', 20, 0)
  const opened = await openDatabase({
    databaseUrl: null,
    dataDir: service.dataDir,
    purpose: 'command',
    log: { info: () => {}, warn: () => {} },
  })
  if (!('host' in opened.connection)) throw new Error('the embedded database has an address of parts')
  const { host, port: databasePort, user, database } = opened.connection
  const port = await freePort()
  const other = spawn(process.execPath, [fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${databasePort}`,
      DATA_DIR: service.dataDir,
      PORT: String(port),
      WORKERS: '2',
      SECRET_KEY: 'of a service that a benchmark starts beside another',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const addresses = [service.address, `http://127.0.0.1:${port}`]
    await untilReady(addresses[1] as string)
    const runners = addresses.flatMap((address): Runner[] => {
      const api = new Caller(address, token)
      const desk = new RecordCaller(`${address}/t/sweep`, { authorization: key })
      return [
        { api, desk },
        { api, desk },
      ]
    })
    const { written, missed, sweeps } = await raceSweeps(runners, seconds, 60)
    process.stdout.write(`${missed.length} of ${written} missed in ${sweeps} sweeps over ${seconds} s\n`)
    if (missed.length > 0) process.exitCode = 1
  } finally {
    await end(other)
    await opened.close()
  }
}
