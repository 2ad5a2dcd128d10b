import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { test } from 'node:test'
import { listProcesses } from '../database/embedded/processes.ts'
import { Caller } from '../testing/fixtures/client.ts'
import {
  aFolder,
  aUsedFolder,
  type ServiceProcess,
  send,
  start,
  startScript,
  until,
  untilReady,
} from '../testing/fixtures/service-process.ts'

/** Whether a program runs that works on a folder, such as a server or what makes its files. */
const isAtWork = async (folder: string, sign: string) =>
  (await listProcesses()).some(({ command }) => command.includes(folder) && command.includes(sign))

/**
 * Whether a process of Node.js waits for what happens next: npm, which a signal ends alone before it is ready to pass
 * one on, is so by then. True where the system does not tell.
 */
async function waitsForEvents(pid: number | undefined): Promise<boolean> {
  const location = await readFile(`/proc/${pid}/wchan`, 'utf8').catch(() => '0')
  return location === '0' || location.includes('epoll') || location.includes('ep_poll')
}

/** What a start is doing when the signal comes. */
const moments: Readonly<Record<string, (started: ServiceProcess, folder: string) => Promise<boolean> | boolean>> = {
  compiles: async ({ child }) => {
    const processes = await listProcesses()
    const shell = processes.find(({ parent, command }) => parent === child.pid && command.includes('supervise.sh'))
    return processes.some(({ parent }) => parent === shell?.pid) && waitsForEvents(child.pid)
  },
  'makes the database': (_, folder) => isAtWork(folder, 'initdb'),
  'starts the database': (_, folder) => isAtWork(folder, '/postgres -D'),
  'fills the demo': async (_, folder) => {
    const processes = await listProcesses()
    const server = processes.find(({ command }) => command.includes(folder) && command.includes('/postgres -D'))
    return processes.some(({ parent, command }) => parent === server?.pid && /^postgres: .* COPY$/.test(command))
  },
  'starts its workers': ({ output }) => output().includes('a worker listens'),
  'is ready': ({ output }) => output().includes('"msg":"ready"'),
  'serves the demo': ({ output }) => output().includes('stop: Ctrl-C'),
}

/** A piece of shared memory, which stays when the server that made it is killed. */
interface SharedMemory {
  readonly id: string
  readonly madeBy: number
}

/** All shared memory there is. Empty where the system does not tell. */
async function sharedMemory(): Promise<SharedMemory[]> {
  const lines = (await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')).split('\n').slice(1, -1)
  return lines.map((line) => {
    const [, id = '', , , madeBy] = line.trim().split(/\s+/)
    return { id, madeBy: Number(madeBy) }
  })
}

interface Stop {
  readonly program: 'npm start' | 'npm run demo' | 'node main.js'
  readonly moment: keyof typeof moments
  readonly signal: NodeJS.Signals
  /** `group` is what a terminal does, and npm then passes the signal on besides. */
  readonly to: 'itself' | 'group'
  /** Whether it comes a second time right after. */
  readonly twice?: boolean
  readonly settings?: Record<string, string>
}

const stops: readonly Stop[] = [
  { program: 'npm start', moment: 'compiles', signal: 'SIGTERM', to: 'itself' },
  { program: 'npm start', moment: 'makes the database', signal: 'SIGINT', to: 'group' },
  { program: 'npm start', moment: 'starts the database', signal: 'SIGTERM', to: 'itself', twice: true },
  { program: 'npm start', moment: 'is ready', signal: 'SIGINT', to: 'group', twice: true },
  { program: 'npm start', moment: 'is ready', signal: 'SIGINT', to: 'itself', settings: { WORKERS: '2' } },
  { program: 'npm run demo', moment: 'fills the demo', signal: 'SIGTERM', to: 'itself' },
  { program: 'npm run demo', moment: 'serves the demo', signal: 'SIGINT', to: 'group', settings: { WORKERS: '2' } },
  { program: 'node main.js', moment: 'makes the database', signal: 'SIGTERM', to: 'itself' },
  { program: 'node main.js', moment: 'starts its workers', signal: 'SIGHUP', to: 'itself', settings: { WORKERS: '2' } },
]

const begin = (program: Stop['program'], folder: string, settings: Record<string, string> = {}) =>
  program === 'node main.js'
    ? start(folder, settings)
    : startScript([program === 'npm start' ? 'start' : 'demo'], folder, settings)

for (const { program, moment, signal, to, twice = false, settings = {} } of stops) {
  const args = [
    `${signal} to ${to === 'group' ? `the group of ${program}` : program}`,
    ...(twice ? ['twice'] : []),
    ...(settings.WORKERS === undefined ? [] : ['with two workers']),
  ]
  test(`${args.join(' ')}, when it ${moment}, ends it with 0 and leaves nothing running`, async () => {
    const folder = await aFolder()
    // What was left long ago was made by processes whose numbers others have since.
    const leftBefore = new Set((await sharedMemory()).map(({ id }) => id))
    const started = await begin(program, folder, settings)
    let hasEnded = false
    void started.ended.then(() => (hasEnded = true))
    const isThere = async () => hasEnded || (await moments[moment]?.(started, folder)) === true
    await until(isThere, `the moment when it ${moment}`, 240)
    assert.ok(!hasEnded, started.output())
    const servers = (await listProcesses()).filter(({ command }) => command.includes(folder)).map(({ pid }) => pid)
    send(started.child, to, signal)
    if (twice) send(started.child, to, signal)
    assert.equal(await started.ended, 0, started.output())
    const left = (await listProcesses()).filter(({ command }) => command.includes(folder))
    assert.deepEqual(left, [])
    const memory = (await sharedMemory()).filter(({ id, madeBy }) => !leftBefore.has(id) && servers.includes(madeBy))
    assert.deepEqual(memory, [])
    assert.doesNotMatch(started.output(), /"level":[56]0|Error/)
  })
}

const stopsInFlight: readonly Omit<Stop, 'moment'>[] = [
  { program: 'npm start', to: 'itself', signal: 'SIGTERM' },
  { program: 'npm start', to: 'group', signal: 'SIGINT' },
]

for (const { program, to, signal, settings } of stopsInFlight) {
  test(`a request in flight is answered when ${signal} comes to ${to === 'group' ? 'the group of ' : ''}${program}, and the next start finds it`, async () => {
    const { folder, token } = await aUsedFolder()
    const started = await begin(program, folder, settings)
    await untilReady(started)
    const body = JSON.stringify({ fullName: 'Ada' })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    }
    const sent = request(`${started.address}/v1/students/external/in-flight`, { method: 'PUT', headers })
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.once('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.once('error', reject)
    })
    sent.flushHeaders()
    await new Promise((resolve) => sent.once('continue', resolve))
    send(started.child, to, signal)
    await until(() => started.output().includes('stopping'), 'the word that it stops')
    sent.end(body)
    assert.equal(await status, 201)
    assert.equal(await started.ended, 0, started.output())
    const next = await start(folder)
    await untilReady(next)
    const again = await new Caller(next.address, token).put('/students/external/in-flight', { fullName: 'Ada' })
    assert.equal(again.status, 200, again.text)
  })
}

test('a stop that is asked for again some seconds later cuts off what is in flight, and still leaves nothing running', async () => {
  const { folder, token } = await aUsedFolder()
  const started = await start(folder)
  await untilReady(started)
  const headers = { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' }
  const authorization = `Bearer ${token}`
  const options = { method: 'PUT', headers: { ...headers, authorization } }
  const sent = request(`${started.address}/v1/students/external/never`, options)
  const failed = new Promise((resolve) => sent.once('error', resolve))
  sent.flushHeaders()
  await new Promise((resolve) => sent.once('continue', resolve))
  let hasEnded = false
  void started.ended.then(() => (hasEnded = true))
  await until(() => {
    send(started.child, 'itself', 'SIGTERM')
    return hasEnded
  }, 'the end')
  await failed
  assert.equal(await started.ended, 1)
  assert.match(started.output(), /asked again to stop: what is still under way is cut off/)
  assert.equal(await isAtWork(folder, 'postgres'), false)
})
