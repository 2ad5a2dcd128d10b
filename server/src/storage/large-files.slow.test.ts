import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../testing/fixtures/service-process.ts'
import { afterFile } from '../testing/runner/file-end.ts'
import type { EncryptedFileStore } from './encryption/encrypted-file-store.ts'
import type { ServiceMessage } from './file-service.fixture.ts'
import { getGrant, inMinutes } from './file-store.fixture.ts'
import { openFileStore } from './open-file-store.ts'
import { onlyUser } from './storage-user.fixture.ts'

const program = fileURLToPath(new URL(`file-service.fixture${import.meta.url.slice(-3)}`, import.meta.url))
const secretKey = 'a secret key of this very test, long enough'
const filesKey = randomBytes(32).toString('base64')
const megabyte = 1024 * 1024
const megabytes = 200

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-files-'))
})
afterFile(() => rm(folder, { recursive: true }))

/** A process that serves the files in the folder, and a store here that signs addresses which it answers. */
async function startProcess(): Promise<{ child: ChildProcess; store: EncryptedFileStore }> {
  const child = fork(program, [folder, filesKey])
  afterFile(() => child.kill())
  const { address } = await told(child)
  const store = await openFileStore(
    {
      storageUrl: null,
      dataDir: folder,
      secretKey,
      publicUrl: address as string,
      filesKey,
    },
    onlyUser,
  )
  return { child, store }
}

async function told(child: ChildProcess): Promise<ServiceMessage> {
  const [message] = (await once(child, 'message')) as [ServiceMessage]
  return message
}

async function loadMemory(child: ChildProcess): Promise<{ now: number; most: number }> {
  child.send('memory')
  return (await told(child)) as { now: number; most: number }
}

async function upload(store: EncryptedFileStore, size: number): Promise<string> {
  const part = randomBytes(megabyte)
  const grant = getGrant('', { sizeBytes: size * megabyte })
  const { url, headers } = await store.signUpload(grant)
  const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': grant.sizeBytes }, agent: false })
  Readable.from(Array.from({ length: size }, () => part)).pipe(sent)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  assert.equal(response.statusCode, 200)
  return grant.key
}

async function download(store: EncryptedFileStore, key: string): Promise<void> {
  const asked = { fileName: 'x.pdf', mimeType: 'application/pdf', disposition: 'attachment' } as const
  const sent = request(await store.signDownload({ key, ...asked, expiresAt: inMinutes(5) }), { agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let received = 0
  for await (const chunk of response) received += (chunk as Buffer).length
  assert.equal(received, megabytes * megabyte)
}

test('four encrypted uploads and downloads of 200 MB at once take less than 50 MB of memory', async () => {
  const { child, store } = await startProcess()
  // The first requests make the program itself grow: its code, and what it lets gather before it collects.
  await Promise.all(Array.from({ length: 4 }, () => upload(store, 32)))
  const { now: before } = await loadMemory(child)
  const keys = await Promise.all(Array.from({ length: 4 }, () => upload(store, megabytes)))
  for (const key of keys) assert.equal(await store.freeze(key), 'frozen')
  const { most: afterUploads } = await loadMemory(child)
  await Promise.all(keys.map((key) => download(store, key)))
  const { most: afterDownloads } = await loadMemory(child)
  child.kill()
  await once(child, 'exit')
  for (const key of keys) await store.remove('frozen', key)
  const [up, down] = [afterUploads, afterDownloads].map((max) => Math.round((max - before) / megabyte))
  process.stdout.write(`memory: ${up} MiB more after the uploads, ${down} MiB more after the downloads too\n`)
  assert.ok(afterDownloads - before < 50e6, `${up} and ${down} MiB`)
})

test('a process that is killed during uploads leaves nothing that any key shows', async () => {
  const { child, store } = await startProcess()
  const grants = Array.from({ length: 4 }, () => getGrant('', { sizeBytes: megabytes * megabyte }))
  const ended = grants.map(async (grant) => {
    const { url, headers } = await store.signUpload(grant)
    const sent = request(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': grant.sizeBytes },
      agent: false,
    })
    sent.write(randomBytes(megabyte))
    await once(sent, 'error')
  })
  const uploads = join(folder, 'files/uploads')
  const begun = async () => {
    const names = await readdir(uploads, { recursive: true })
    return names.filter((name) => name.endsWith('.part')).length
  }
  await until(async () => (await begun()) === grants.length, 'the begin of all uploads')
  child.kill('SIGKILL')
  await Promise.all(ended)
  for (const { key } of grants) {
    assert.equal(await store.stat('upload', key), null)
    assert.equal(await store.freeze(key), 'missing')
  }
  const keys: string[] = []
  for await (const key of store.list('upload')) keys.push(key)
  assert.equal(keys.filter((key) => grants.some((grant) => grant.key === key)).length, 0)
  assert.equal(await store.removeUnfinished({ before: inMinutes(1) }), grants.length)
  assert.equal(await begun(), 0)
})
