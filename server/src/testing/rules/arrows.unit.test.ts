import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../../src/', import.meta.url))

/** The rooms, from what everybody may use to what nobody may; `app` and the entries beside the rooms compose them. */
const layers = [
  'errors',
  'values',
  'money',
  'tracing',
  'database',
  'tenancy',
  'changes',
  'concurrency',
  'jobs',
  'entities',
  'listing',
  'mail',
  'pdf',
  'outbound-http',
  'storage',
  'identity',
  'http',
  'reference',
  'record-engine',
  'resource-api',
  'features',
  'backup',
  'app',
  '.',
  'commands',
]

/** The rooms that compose: their modules are entries, used one by one. */
const compositions = new Set(['app', '.', 'commands'])

interface Import {
  readonly from: string
  readonly to: string
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.ts') &&
    !file.endsWith('.test.ts') &&
    !file.startsWith('testing/') &&
    !/(?:fixture|harness)\.ts$/.test(file),
)

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(source, from), 'utf8').matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, path]) => ({
    from,
    to: normalize(join(dirname(from), path as string)),
  })),
)

function getLayer(file: string): number {
  const folder = file.includes('/') ? (file.split('/')[0] as string) : '.'
  return layers.indexOf(folder)
}

test('arrows point one way: no folder uses one that stands above it', () => {
  assert.ok(imports.length > 200)
  // The one entry that starts the commands stands beside the other compositions.
  const upward = imports.filter(({ from, to }) => getLayer(to) > getLayer(from) && from !== 'cli.ts')
  assert.deepEqual(upward, [])
  assert.deepEqual(
    files.filter((file) => getLayer(file) < 0),
    [],
  )
})

function getFolder(file: string): string {
  const [room = '', feature] = file.split('/')
  return !file.includes('/') ? '.' : room === 'features' ? `features/${feature}` : room
}

test('a room is used only through an index, its own or that of a folder in it', () => {
  const across = imports.filter(({ from, to }) => getFolder(from) !== getFolder(to) && !compositions.has(getFolder(to)))
  assert.ok(across.length > 200)
  assert.deepEqual(
    across.filter(({ to }) => !to.endsWith('/index.ts')),
    [],
  )
})

/** What is loaded with a module: types are not, nor what is imported where it is needed. */
function loadedWith(from: string, known: Set<string> = new Set()): Set<string> {
  if (known.has(from)) return known
  known.add(from)
  const text = readFileSync(join(source, from), 'utf8')
  const loaded = text.matchAll(/^(?:import|export) (?!type\b)(?:[^'\n]|\n(?!\n))*?\bfrom '(\.[^']+)'/gm)
  for (const [, path] of loaded) loadedWith(normalize(join(dirname(from), path as string)), known)
  return known
}

test('what every command begins with loads no feature and no record type', () => {
  for (const entry of ['cli.ts', 'commands/matricula.ts', 'commands/operator.ts']) {
    const loaded = [...loadedWith(entry)]
    assert.ok(entry !== 'commands/operator.ts' || loaded.includes('database/index.ts'))
    assert.deepEqual(
      loaded.filter((file) =>
        /^(?:features|resource-api|record-engine)\/|^app\/(?:composition|service)\.ts/.test(file),
      ),
      [],
      entry,
    )
  }
})

test('the demonstration uses rooms only through their indexes', () => {
  const folder = fileURLToPath(new URL('../../../../demo/src/', import.meta.url))
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/(?:test|fixture)\.ts$/.test(file),
  )
  const used = modules.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '@matricula\/server\/([^']+)'/g)].map(
      ([, path]) => path as string,
    ),
  )
  assert.ok(used.length > 10)
  assert.deepEqual(
    used.filter((path) => !compositions.has(getFolder(`${path}.ts`)) && !path.endsWith('/index')),
    [],
  )
})

/** The modules of a folder, with what each imports of the others, when it is loaded, for its types, or later. */
function readModules(folder: string): Map<string, string[]> {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
  )
  return new Map(
    modules.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, path]) => path as string)
      return [file, paths.map((path) => normalize(join(dirname(file), path)))]
    }),
  )
}

for (const workspace of ['server', 'console', 'contract', 'pages', 'sdk', 'mcp', 'demo']) {
  test(`modules of ${workspace} import each other in no circle, dynamic imports included`, () => {
    const modules = readModules(fileURLToPath(new URL(`../../../../${workspace}/src/`, import.meta.url)))
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      assert.ok(!path.includes(file), [...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file)) return
      for (const to of modules.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of modules.keys()) visit(file, [])
    const imported = [...modules.values()].flat()
    assert.ok(imported.filter((file) => modules.has(file)).length >= modules.size / 2, 'its imports were found')
  })
}

test('the contract imports nothing of ours and does nothing', () => {
  const folder = fileURLToPath(new URL('../../../../contract/src/', import.meta.url))
  const contract = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  for (const file of contract.filter((name) => !name.endsWith('.test.ts'))) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, path] of text.matchAll(/from '([^']+)'/g)) {
      assert.ok(path === 'typebox' || path?.startsWith('.'), `${file} imports ${path}`)
    }
  }
})

test('the pages know nothing of the service and do nothing but make text', () => {
  const folder = fileURLToPath(new URL('../../../../pages/src/', import.meta.url))
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  assert.ok(pages.length > 20)
  for (const file of pages.filter((name) => !name.endsWith('.test.ts'))) {
    for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import) '([^']+)'/g)) {
      assert.match(path as string, /^\.{1,2}\//, `${file} imports ${path}`)
    }
  }
})

test('the client and the tools of assistants know nothing of the service but what it promises', () => {
  const allowed = {
    sdk: /^(?:\.{1,2}\/|openapi-fetch$)/,
    mcp: /^(?:\.{1,2}\/|@matricula\/c|@modelcontextprotocol\/server)/,
  }
  for (const [workspace, own] of Object.entries(allowed)) {
    const folder = fileURLToPath(new URL(`../../../../${workspace}/src/`, import.meta.url))
    const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\/|^generation\//.test(file),
    )
    assert.ok(modules.length > 2)
    for (const file of modules) {
      for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import) '([^']+)'/g)) {
        assert.match(path as string, own, `${workspace}/src/${file} imports ${path}`)
      }
    }
  }
})

test('in the console arrows point one way, and of what is ours it uses the contract alone', () => {
  const rooms = ['reader', 'messages', 'calls', 'elements', 'session', 'shell', 'documents', 'records', 'screens', '.']
  const folder = fileURLToPath(new URL('../../../../console/src/', import.meta.url))
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const getFolder = (file: string) => rooms.indexOf(file.includes('/') ? (file.split('/')[0] as string) : '.')
  assert.ok(modules.length > 40)
  for (const file of modules.filter((name) => !name.endsWith('.test.ts'))) {
    assert.ok(getFolder(file) >= 0, file)
    const text = readFileSync(join(folder, file), 'utf8')
    const isGenerated = text.startsWith('// Generated')
    assert.ok(text.split('\n').length <= 300 || isGenerated, `${file} is longer than 300 lines`)
    for (const [, path = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      if (path.startsWith('.')) {
        const to = normalize(join(dirname(file), path))
        assert.ok(getFolder(to) <= getFolder(file), `${file} uses ${to}`)
        assert.ok(
          getFolder(file) !== rooms.indexOf('elements') || getFolder(to) !== rooms.indexOf('calls'),
          `${file} calls`,
        )
      } else {
        assert.ok(!path.startsWith('@matricula/') || path.startsWith('@matricula/contract/'), `${file} uses ${path}`)
      }
    }
  }
})
