import { createClient, NoAnswer, Problem } from '@matricula/client'
import { syncDistrict } from './client-records/sync-district.ts'
import { FileError } from './files/csv-rows.ts'
import { readInterchange } from './files/interchange.ts'
import { readSchoolFiles } from './files/school-files.ts'
import { dueDates, UnknownTermError } from './files/term.ts'
import { type Options, type Part, readOptions, UsageError, usage } from './options.ts'
import { ProvisionError, provision } from './provision.ts'
import { createProgress } from './run/progress.ts'
import { Report } from './run/report.ts'
import { readStudents } from './run/tenant-records.ts'
import { RecordClient } from './school-records/record-client.ts'
import { syncRecords } from './school-records/sync-records.ts'

const exitCodes = { done: 0, failed: 1, usage: 2, SIGINT: 130, SIGTERM: 143 } as const

/** What can be expected to go wrong, and is told in one line. */
const expected = [FileError, ProvisionError, UnknownTermError, Problem, NoAnswer]

const progress = createProgress()
const report = new Report()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(exitCodes[signal])
    stop.abort(signal)
    progress.say('Stopping as soon as the requests under way are answered.')
  })
}
process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2), process.env)
    if (options === null) {
      process.stdout.write(usage)
      return exitCodes.done
    }
    await sync(options).finally(() => progress.stop())
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message} Add --help to see the options.\n`)
      return exitCodes.usage
    }
    // What waits when the run is stopped ends with an error of its own.
    if (!stop.signal.aborted) {
      if (!expected.some((kind) => error instanceof kind)) throw error
      report.giveUp((error as Error).message)
    }
  }
  process.stderr.write([...report.notes, ...report.failures].map((line) => `${line}\n`).join(''))
  process.stdout.write(report.summary())
  if (stop.signal.aborted) {
    process.stdout.write('Stopped. Run it again to go on: nothing is done twice.\n')
    return exitCodes[stop.signal.reason as 'SIGINT' | 'SIGTERM']
  }
  process.stdout.write(`${report.verdict}\n`)
  return report.failures.length > 0 ? exitCodes.failed : exitCodes.done
}

async function sync({ address, parts, credentials, tenantSlug, folder, concurrency, term, tuition }: Options) {
  const has = (part: Part) => parts.includes(part)
  // Every file is read before anything is sent.
  const interchange = has('client') ? await readInterchange(folder) : null
  const school = has('records') ? await readSchoolFiles(folder) : null
  const dueDateOf = interchange && dueDates(interchange.sessions, interchange.attendance, term)
  const { token, key } = credentials ?? (await provision(tenantSlug))
  const onWait = (reason: string) => progress.say(reason)
  const client = createClient({ url: address, token, signal: stop.signal, onWait })
  const work = { report, progress, stop: stop.signal, concurrency }
  const synced =
    interchange !== null && dueDateOf !== null
      ? await syncDistrict({ ...work, client }, interchange, { term, amount: tuition, dueDateOf })
      : null
  if (school !== null && key !== null && !stop.signal.aborted) {
    const records = new RecordClient({ address, key, stop: stop.signal, onWait })
    await syncRecords({ ...work, records }, school, synced ?? (await readStudents(client)))
  }
}
