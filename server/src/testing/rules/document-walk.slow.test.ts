import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientApi } from '@matricula/contract'
import { resources } from '../../reference/navigation.ts'
import { type DocumentSession, openSession } from '../fixtures/documentation/document-session.ts'
import { documentPaths, getBlocks, programs } from '../fixtures/documentation/documents.ts'
import { aFolder, runCommand, startForFile, untilReady } from '../fixtures/service-process.ts'
import { afterFile } from '../runner/file-end.ts'
import { freePort } from '../runner/free-port.ts'

/** Below the project's folder, so that programs find the client by its name. */
const folder = await mkdtemp(fileURLToPath(new URL('documents-', import.meta.url)))
afterFile(() => rm(folder, { recursive: true, force: true }))

// One demo for all documents, with a database of its own as `npm run demo` has it, but smaller.
const settings = { DATA_DIR: await aFolder(afterFile) }
const demo = await runCommand(settings, 'demo', '--students', '60', '--payments', '200')
// What a document shows of settings is tried on a tenant that has none.
await runCommand(settings, 'tenant', 'create', '--slug', 'empty', '--name', 'Empty')
const service = await startForFile({ ...settings, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
await untilReady(service)
const { address } = service
const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...withoutDatabase } = process.env
const environment = {
  ...withoutDatabase,
  ...settings,
  MATRICULA_URL: address,
  MATRICULA_TOKEN: demo.token,
  MATRICULA_KEY: demo.key,
  PUBLIC_URL: address,
  PORT: String(await freePort()),
}

const python = (() => {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let changes = 0

/** Writes a payment, so that programs which follow see something. */
async function makeChange(): Promise<void> {
  const headers = { authorization: `Bearer ${environment.MATRICULA_TOKEN}`, 'content-type': 'application/json' }
  const put = (path: string, body: object) =>
    fetch(`${address}/v1${path}`, { method: 'PUT', headers, body: JSON.stringify(body) }).then((response) =>
      response.json(),
    )
  changes += 1
  const { data } = (await put('/students/external/changes', { fullName: 'Ada Byron' })) as { data: { id: string } }
  await put('/payments/external/changes', { studentId: data.id, amount: changes, description: 'Change', dueDate: null })
}

// Those that make what others need come first.
const paths = ['README.md', ...documentPaths().filter((path) => path !== 'README.md')]

for (const path of paths) {
  const blocks = getBlocks(path).filter(
    ({ language, marking }) => programs.includes(language) && marking.kind !== 'not run',
  )
  if (blocks.length === 0) continue
  test(`every program of ${path} runs as it is written`, async (t) => {
    const session: DocumentSession = await openSession(join(folder, path.replaceAll('/', '-')), {
      address,
      environment,
      makeChange,
    })
    try {
      for (const block of blocks) {
        if (block.language === 'python' && !python) {
          t.diagnostic(`${path}:${block.line} is not run: there is no python3 with requests here`)
        } else await session.run(block)
      }
    } finally {
      await session.end()
    }
  })
}

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** The examples of the reference in a language, of all operations. */
async function examplesIn(language: string): Promise<string[]> {
  const pages = await Promise.all(resources.map(async (resource) => (await fetch(address + resource.address)).text()))
  const figure = new RegExp(`data-language="${language}"><figcaption>.*?<code>(.*?)</code>`, 'gs')
  return pages.flatMap((text) => [...text.matchAll(figure)].map(([, code = '']) => unescaped(code)))
}

test('the examples of every operation are programs: for the shell, for TypeScript with the types of the client, for Python', async (t) => {
  const number = Object.keys(clientApi).length
  const [sh, ts, py] = await Promise.all(['sh', 'ts', 'python'].map(examplesIn))
  assert.deepEqual([sh?.length, ts?.length, py?.length], [number, number, number])
  execFileSync('sh', ['-n'], { input: sh?.join('\n') ?? '' })
  const location = await mkdtemp(join(folder, 'examples-'))
  for (const [position, text] of ts?.entries() ?? []) await writeFile(join(location, `${position}.ts`), text)
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    skipLibCheck: true,
  }
  await writeFile(join(location, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await writeFile(join(location, 'package.json'), '{ "type": "module" }')
  const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))
  const compiled = spawnSync(process.execPath, [compiler, '-p', location], { encoding: 'utf8' })
  assert.equal(compiled.status, 0, compiled.stdout)
  if (!python) return t.diagnostic('those in Python are not looked at: there is no python3 with requests here')
  const parse = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'
  execFileSync('python3', ['-c', parse], { input: JSON.stringify(py) })
})
