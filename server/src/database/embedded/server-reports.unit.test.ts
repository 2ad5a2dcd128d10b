import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../testing/fixtures/service-process.ts'
import { findReport, followLog, type ServerReport } from './server-reports.ts'

const at = '2026-11-22 05:24:05.405 UTC'

test('what the server says of itself is told by its kind and SQLSTATE, never in its words', () => {
  assert.deepEqual(
    findReport(`${at} [17] checkpointer:00000 LOG:  checkpoints are occurring too frequently (2 seconds apart)`),
    { kind: 'checkpoints_too_frequent', severity: 'LOG', sqlstate: '00000', process: 'checkpointer' },
  )
  assert.deepEqual(
    findReport(`${at} [17] postmaster:00000 LOG:  client backend (PID 9) was terminated by signal 9: Killed`),
    { kind: 'process_crashed', severity: 'LOG', sqlstate: '00000', process: 'postmaster' },
  )
  const full = findReport(
    `${at} [17] autovacuum worker:53100 ERROR:  could not extend file "base/16384/16500": No space`,
  )
  assert.deepEqual(full, { kind: 'other', severity: 'ERROR', sqlstate: '53100', process: 'autovacuum worker' })
})

test('what an operator need not know is passed over', () => {
  const lines = [
    `${at} [17] postmaster:00000 LOG:  starting PostgreSQL 18`,
    `${at} [18] client backend:57P03 FATAL:  the database system is starting up`,
    'FATAL:  words alone',
    '',
  ]
  for (const line of lines) {
    assert.equal(findReport(line), null, line)
  }
})

test('a log that has become large is put aside, and followed on without a line lost or told twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-log-'))
  const path = join(folder, 'postgres.log')
  await writeFile(path, '')
  const reported: ServerReport[] = []
  const stop = await followLog(path, (report) => reported.push(report), 2_000)
  try {
    const line = (process: string) => `${at} [17] ${process}:53100 PANIC:  could not write\n`
    await appendFile(path, line('walwriter').repeat(100))
    await until(async () => (await stat(path)).size === 0, 'an empty log')
    await appendFile(path, line('startup'))
    await until(() => reported.length === 101, 'the line after it')
    assert.equal((await readFile(`${path}.1`, 'utf8')).split('\n').length, 101)
  } finally {
    stop()
    await rm(folder, { recursive: true })
  }
})

test('a log is followed from its end, line by line, also when it begins anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-log-'))
  const path = join(folder, 'postgres.log')
  const panic = (process: string) => `${at} [17] ${process}:53100 PANIC:  could not write\n`
  await writeFile(path, panic('before'))
  const reported: ServerReport[] = []
  const stop = await followLog(path, (report) => reported.push(report))
  try {
    await appendFile(path, panic('walwriter').slice(0, 50))
    await appendFile(path, panic('walwriter').slice(50))
    await until(() => reported.length >= 1, 'the first line')
    await writeFile(path, panic('startup'))
    await until(() => reported.length >= 2, 'the second line')
    assert.deepEqual(
      reported.map(({ process }) => process),
      ['walwriter', 'startup'],
    )
  } finally {
    stop()
    await rm(folder, { recursive: true })
  }
})
