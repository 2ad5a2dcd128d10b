import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { LogLines } from './log-lines.ts'

const fixture = fileURLToPath(new URL('log.fixture.js', import.meta.url))

function startLogging(count: number, end: string) {
  const child = spawn(process.execPath, [fixture, String(count), end], { stdio: ['ignore', 'pipe', 'ignore'] })
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return { child, chunks }
}

/** The messages of all lines that a process has written until it ended, each of which must be whole. */
async function loadMessages(count: number, end: string): Promise<string[]> {
  const { child, chunks } = startLogging(count, end)
  await once(child, 'close')
  const lines = chunks.join('').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line).msg)
}

for (const end of ['SIGTERM', 'uncaught error', 'nothing more']) {
  test(`no line of the log is lost when the process ends by ${end}`, async () => {
    assert.equal((await loadMessages(1003, end)).length, 1003)
  })
}

test('a warning is written at once with everything before it, even if the process is killed right after', async () => {
  const messages = await loadMessages(1003, 'warning')
  assert.equal(messages.length, 1004)
  assert.equal(messages.at(-1), 'something is wrong')
})

test('a line that no other follows is written soon', async () => {
  const { child, chunks } = startLogging(1, 'waiting')
  try {
    await once(child.stdout, 'data')
    assert.match(chunks.join(''), /"number":1/)
  } finally {
    child.kill('SIGKILL')
  }
})

test('many lines are written with few writes', { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
  const { child, chunks } = startLogging(2000, 'waiting')
  try {
    while (!chunks.join('').includes('"number":2000')) await once(child.stdout, 'data')
    const io = await readFile(`/proc/${child.pid}/io`, 'utf8')
    const writes = Number(/syscw: (\d+)/.exec(io)?.[1])
    assert.ok(writes < 600, `${writes} writes`)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a log that cannot be written holds nothing up', {
  skip: process.platform !== 'linux' && 'needs /dev/full',
}, async () => {
  const full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, [fixture, '1003', 'warning'], { stdio: ['ignore', full.fd, 'ignore'] })
  const tooLate = setTimeout(() => child.kill('SIGTERM'), 30_000)
  const [, signal] = await once(child, 'exit')
  clearTimeout(tooLate)
  await full.close()
  assert.equal(signal, 'SIGKILL', 'it came to its end')
})

test('lines that could not be written are told by their number, once there is room again', () => {
  const written: string[] = []
  let writeError: string | null = 'ENOSPC'
  const lines = new LogLines((bytes) => {
    if (writeError !== null) throw Object.assign(new Error(writeError), { code: writeError })
    written.push(bytes.toString())
    return bytes.length
  })
  for (let number = 0; number < 500; number += 1) lines.write(`{"number":${number}}\n`)
  lines.flushSync()
  writeError = null
  lines.write('{"number":500}\n')
  lines.flushSync()
  lines.write('{"number":501}\n')
  lines.flushSync()
  const [reported, ...others] = written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual([reported.level, reported.lines], [40, 500])
  assert.deepEqual(others, [{ number: 500 }, { number: 501 }])
})

test('what a slow reader does not take is kept for it, whole and in order', () => {
  let written = ''
  let partition = 0
  const lines = new LogLines((bytes) => {
    if (partition === 0) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' })
    const taken = bytes.subarray(0, partition)
    partition -= taken.length
    written += taken.toString()
    return taken.length
  })
  lines.write('{"number":1}\n')
  partition = 5
  lines.flushSync()
  assert.equal(written, '{"num')
  lines.write('{"number":2}\n')
  partition = 1_000
  lines.flushSync()
  assert.equal(written, '{"number":1}\n{"number":2}\n')
})
