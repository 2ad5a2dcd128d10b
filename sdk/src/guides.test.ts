import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLineOf } from '../../server/dist/testing/command-line.js'
import { pdf } from '../../server/dist/testing/factories.js'
import { guideBlocks } from '../../server/dist/testing/guides.js'
import { afterwards, until } from '../../server/dist/testing/service-process.js'
import { startTestService } from '../../server/dist/testing/test-service.js'
import { type Client, createClient } from './client.ts'
import { collected } from './testing/collected.ts'

const service = await startTestService()
const commands = await commandLineOf(service)
const matricula = `"${process.execPath}" "${fileURLToPath(new URL('../../server/bin/matricula.js', import.meta.url))}"`

/** Where the programs are: below the package, so that they find it by its name. */
const folder = await mkdtemp(fileURLToPath(new URL('guide-', import.meta.url)))
after(() => rm(folder, { recursive: true, force: true }))

let client: Client
let environment: NodeJS.ProcessEnv

before(async () => {
  await commands.json(['tenant', 'create', '--slug', 'hillside', '--name', 'Hillside'])
  const grants = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const { token } = await commands.json(['token', 'create', '--tenant', 'hillside', '--name', 'guide', ...grants])
  // Signed addresses of files name the public address of the service, which nobody serves here.
  const redirect = `const { fetch } = globalThis
    globalThis.fetch = (input, init) => fetch(typeof input === 'string' ? input.replace('https://matricula.example', process.env.MATRICULA_URL) : input, init)`
  await writeFile(join(folder, 'at-service.mjs'), redirect)
  await writeFile(join(folder, 'certificate.pdf'), pdf)
  client = createClient({ url: service.address, token })
  environment = { ...commands.environment, MATRICULA_URL: service.address, MATRICULA_TOKEN: token }
})

interface Running {
  readonly output: () => string
  /** Waits until it has said something. */
  says(words: RegExp): Promise<void>
  /** Ends it, and what it started, without a warning. */
  kill(): Promise<void>
  /** How it ended, and what it said. */
  readonly ended: Promise<{ code: number | null; output: string }>
}

/** Starts what a guide shows, as pasted: a program into a file, commands into a shell. */
async function begin({ language, text }: { language: string; text: string }): Promise<Running> {
  const file = join(folder, 'program.mjs')
  await writeFile(file, text)
  const words =
    language === 'js'
      ? [process.execPath, '--import', join(folder, 'at-service.mjs'), file]
      : ['sh', '-ec', text.replaceAll('npx matricula', matricula)]
  const child = spawn(words[0] as string, words.slice(1), {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // So that what a shell started can be ended with it.
    detached: true,
  })
  let said = ''
  child.stdout.on('data', (part) => (said += part))
  child.stderr.on('data', (part) => (said += part))
  const ended = once(child, 'close').then(([code]) => ({ code, output: said }))
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL')
    await ended
  }
  afterwards(kill)
  return {
    kill,
    output: () => said,
    ended,
    says: (words) =>
      until(
        () => words.test(said),
        () => `${words} in ${said}`,
      ),
  }
}

/** Runs it to its end, which must be a good one, and gives what it said. */
async function run(block: { language: string; text: string } | undefined): Promise<string> {
  assert.ok(block)
  const { code, output } = await (await begin(block)).ended
  assert.equal(code, 0, output)
  return output
}

/** What a guide shows, which must be so much: whatever is added to it is to be tried here too. */
function blocksOf(path: string, number: number) {
  const blocks = guideBlocks(path).filter(({ language }) => ['js', 'sh'].includes(language))
  assert.equal(blocks.length, number, `${path} shows ${blocks.length} programs`)
  return blocks
}

test('the first program of the README has ten lines and runs as pasted, as often as one likes', async () => {
  const [install, first] = blocksOf('sdk/README.md', 2)
  assert.match(install?.text ?? '', /^npm install @matricula\/client$/m)
  assert.ok((first?.text.trim().split('\n').length ?? 0) <= 10)
  for (let time = 0; time < 2; time += 1) assert.equal(await run(first), 'Ada Byron owes 450 USD\n')
  assert.equal((await client.payments.list().page()).total, 1)
})

test('every program of the guide to the client runs as pasted', async () => {
  const [shell, changes, creation, version, upload] = blocksOf('docs/client.md', 5)
  const token = await run({ language: 'sh', text: `${shell?.text}\necho "$MATRICULA_TOKEN"` })
  assert.match(token, /^mtc_\w{49}\n$/)
  assert.match(await run(changes), /is pending: 450 USD\n$/)
  await client.payments.upsert('T-604821', { status: 'paid' })
  assert.match(await run(changes), /is paid: 450 USD\n$/)
  assert.match(await run(creation), /^S-604821 is there already: \S{36}\n$/)
  assert.equal(await run(version), 'lives in London now\n')
  assert.equal(await run(version), 'lives in Marylebone now\n')
  for (let time = 0; time < 2; time += 1) assert.match(await run(upload), /^Birth certificate is /i)
  assert.equal((await client.documents.list().page()).total, 1)
})

test('every program of the guide to the feed runs as pasted, goes on where it was ended, and misses nothing', async () => {
  const [token, now, withClient, overHttp, stream, tail] = blocksOf('docs/event-feed.md', 6)
  assert.match(await run(token), /mtc_/)
  assert.match(await run(now), /"data":\[\],"next":"\d+","hasMore":false/)
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
  const streaming = await begin({ language: 'sh', text: stream?.text.replace('20417', '0') ?? '' })
  await streaming.says(/^data: \{.*payment\.created/m)
  // What is last in a script for a shell is not always the shell itself.
  await run({ language: 'sh', text: (tail?.text ?? '').replace('--follow ', '') })
})

test('the copy of the guide to mirroring is whole, also after its program was killed', async () => {
  const [program] = blocksOf('docs/mirroring.md', 1)
  const copy = async () => JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8').catch(() => '{"payments":{}}'))
  const isInStep = async () => {
    const { students, payments } = await copy()
    const present = [await collected(client.students.list()), await collected(client.payments.list())]
    const kept = [students, payments].map((records) => Object.values(records ?? {}))
    return JSON.stringify(kept.map(byId)) === JSON.stringify(present.map(byId))
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
