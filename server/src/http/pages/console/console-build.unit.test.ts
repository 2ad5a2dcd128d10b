import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import type { Problem } from '../../../errors/problem.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'
import { readConsoleBuild } from './console-build.ts'
import { addConsolePages, type ConsolePlatform } from './console-pages.ts'

const folder = await mkdtemp(join(tmpdir(), 'matricula-console-'))
afterFile(() => rm(folder, { recursive: true, force: true }))
const script = 'export const words = "Matrícula"'
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'index.html'), '<!doctype html>')
await writeFile(join(folder, 'assets/index-1.js'), script)
await writeFile(join(folder, 'assets/index-1.js.gz'), gzipSync(script))
await writeFile(join(folder, 'assets/index-1.js.br'), brotliCompressSync(script))
await writeFile(join(folder, 'assets/index-2.js'), script)
await writeFile(join(folder, 'secret.txt'), 'not of the console')
await writeFile(
  join(folder, 'preloads.json'),
  JSON.stringify({
    screens: [
      { path: '^/$', files: ['assets/home.js'] },
      { path: '^/records/(?<type>[\\w-]+)$', files: ['assets/list.js', 'assets/table.js'] },
    ],
    types: { student: ['assets/student.js'] },
    languages: { en: ['assets/english.js'], es: ['assets/spanish.js'] },
  }),
)
const build = readConsoleBuild(pathToFileURL(`${folder}/`))

const app = Fastify()
app.setErrorHandler<Problem>(({ code }, _request, reply) => reply.code(404).send({ code }))
addConsolePages(app, { build, publicUrl: 'https://school.example' } as ConsolePlatform)
const get = (name: string, accepted = '') =>
  app.inject({ url: `/console/assets/${name}`, headers: { 'accept-encoding': accepted } })

test('console build: content negotiation of the coding, and no file outside of the build', async () => {
  const expected = { br: brotliCompressSync(script), gzip: gzipSync(script) }
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, rawPayload } = await get('index-1.js', encoding)
    assert.equal(headers['content-encoding'], encoding)
    assert.deepEqual(rawPayload, expected[encoding])
  }
  const plain = await get('index-1.js')
  assert.deepEqual([plain.headers['content-encoding'], plain.body], [undefined, script])
  for (const name of ['index-1.js.gz', '../secret.txt', '..%2Fsecret.txt', 'secret.txt', '']) {
    assert.equal((await get(name)).statusCode, 404, name)
  }
})

test('console build: concurrent readers share the bytes, and a file replaced by a newer build is 404', async () => {
  const bytes = build?.assets.get('index-1.js')?.bytes
  const shared = bytes?.br?.()
  assert.ok(shared)
  assert.equal(bytes?.br?.(), shared)
  await rm(join(folder, 'assets/index-2.js'))
  const gone = await get('index-2.js')
  assert.deepEqual([gone.statusCode, gone.json().code], [404, 'route_not_found'])
})

test('console preloads: those of the screen, of the record type and of the first language that the console has', () => {
  const find = (path: string, accepted = '') => build?.findFiles(path, accepted).join(' ')
  assert.equal(find('/'), 'assets/home.js assets/english.js')
  const list = 'assets/list.js assets/table.js'
  assert.equal(find('/records/student', 'fr-FR, es-PE;q=0.8, en;q=0.5'), `${list} assets/student.js assets/spanish.js`)
  assert.equal(find('/records/constructor', 'zh, *'), `${list} assets/english.js`)
  assert.equal(find('/nowhere', 'es'), '')
})
