import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getBlocks } from '../../server/dist/testing/fixtures/documentation/documents.js'
import { afterwards, until } from '../../server/dist/testing/fixtures/service-process.js'
import { startTestService } from '../../server/dist/testing/fixtures/test-service.js'
import { afterFile } from '../../server/dist/testing/runner/file-end.js'
import { createClient } from './client.ts'
import { collected } from './testing/collected.ts'

// What the walk through all documents does not show: that these programs go on where they were ended.
const service = await startTestService()

/** Where the programs are: below the package, so that they find it by its name. */
const folder = await mkdtemp(fileURLToPath(new URL('guide-', import.meta.url)))
afterFile(() => rm(folder, { recursive: true, force: true }))

const { secret: token } = await (await service.tenant()).token()
const client = createClient({ url: service.address, token })
const environment = { ...process.env, MATRICULA_URL: service.address, MATRICULA_TOKEN: token }

interface Running {
  readonly output: () => string
  /** Waits until it has said something. */
  says(pattern: RegExp): Promise<void>
  /** Ends it without a warning. */
  kill(): Promise<void>
}

/** Starts a program that a guide shows, as pasted. */
async function begin({ text }: { text: string }): Promise<Running> {
  const file = join(folder, 'program.mjs')
  await writeFile(file, text)
  const child = spawn(process.execPath, [file], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (part) => (said += part))
  child.stderr.on('data', (part) => (said += part))
  const ended = once(child, 'close')
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  afterwards(kill)
  return {
    kill,
    output: () => said,
    says: (pattern) =>
      until(
        () => pattern.test(said),
        () => `${pattern} in ${said}`,
      ),
  }
}

/** The programs that a guide shows. */
function getPrograms(path: string) {
  return getBlocks(path).filter(({ language }) => language === 'js')
}

test('every program of the guide to the feed runs as pasted, goes on where it was ended, and misses nothing', async () => {
  const [withClient, overHttp] = getPrograms('docs/event-feed.md')
  const { id: studentId } = await client.students.upsert('S-1', { fullName: 'Grace Hopper' })
  const pay = async (number: string) =>
    (await client.payments.upsert(number, { studentId, amount: 1, description: 'Books', dueDate: null })).id
  for (const block of [withClient, overHttp]) {
    const name = block === withClient ? 'client' : 'http'
    await rm(join(folder, 'position'), { force: true })
    const first = await begin(block as never)
    await until(
      () =>
        readFile(join(folder, 'position')).then(
          () => true,
          () => false,
        ),
      'a position',
    )
    const one = await pay(`${name} 1`)
    await first.says(new RegExp(`^payment.created ${one}$`, 'm'))
    const position = await readFile(join(folder, 'position'), 'utf8')
    await until(async () => (await readFile(join(folder, 'position'), 'utf8')) >= position, 'the position of it')
    await first.kill()
    const two = await pay(`${name} 2`)
    const second = await begin(block as never)
    await second.says(new RegExp(`^payment.created ${two}$`, 'm'))
    await second.kill()
  }
})

test('the copy of the guide to mirroring is whole, also after its program was killed', async () => {
  const [program] = getPrograms('docs/mirroring.md')
  const copy = async () => JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8').catch(() => '{"payments":{}}'))
  const isInStep = async () => {
    const { students, payments } = await copy()
    const present = [await collected(client.students.list()), await collected(client.payments.list())]
    const stored = [students, payments].map((records) => Object.values(records ?? {}))
    return JSON.stringify(stored.map(byId)) === JSON.stringify(present.map(byId))
  }
  const first = await begin(program as never)
  await until(isInStep, () => `a whole copy (${first.output()})`)
  await first.kill()
  for (let number = 0; number < 120; number += 1)
    await client.students.upsert(`M-${number}`, { fullName: `Ada ${number}` })
  for (let time = 0; time < 4; time += 1) {
    const killed = await begin(program as never)
    await new Promise((resolve) => setTimeout(resolve, 150 + 150 * time))
    await killed.kill()
  }
  const last = await begin(program as never)
  await until(isInStep, () => `a whole copy again (${last.output()})`)
  await client.students.upsert('M-7', { fullName: 'Ada Lovelace' })
  await until(isInStep, () => `the change in the copy (${last.output()})`)
})

function byId(records: unknown[]): object[] {
  return (records as { id: string }[]).sort((one, other) => (one.id < other.id ? -1 : 1))
}
