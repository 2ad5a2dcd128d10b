import { Caller } from '../../server/dist/testing/fixtures/client.js'
import { type Runner, raceSyncs } from '../../server/dist/testing/fixtures/database/sync-race.js'
import { RecordCaller } from '../../server/dist/testing/fixtures/record-caller.js'
import { type BenchService, startBeside } from './services/bench-service.ts'

/**
 * Sweeps through two services on one database, the second with two workers, while both surfaces write, and prints how many
 * records no sweep saw. Fails when one was missed. Runs for a minute, or for as many seconds as the word behind it says.
 */
export async function printSyncRaces(service: BenchService): Promise<void> {
  const seconds = Number(process.argv[3] ?? 60)
  const { token, key } = await service.fill('sweep', 20, 0)
  const other = await startBeside(service, { WORKERS: '2' })
  try {
    const addresses = [service.address, other.address]
    const runners = addresses.flatMap((address): Runner[] => {
      const api = new Caller(address, token)
      const resourceClient = new RecordCaller(`${address}/t/sweep`, { authorization: key })
      return [
        { api, resourceClient },
        { api, resourceClient },
      ]
    })
    const { written, missed, sweeps: syncs } = await raceSyncs(runners, seconds, 60)
    process.stdout.write(`${missed.length} of ${written} missed in ${syncs} sweeps over ${seconds} s\n`)
    if (missed.length > 0) process.exitCode = 1
  } finally {
    await other.stop()
  }
}
