import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('../', import.meta.url))

/** The modules of the package that a program loads, from the one that it names, and what they import from elsewhere. */
function reached(file: string, found = { modules: new Set<string>(), foreign: new Set<string>() }) {
  found.modules.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (!path?.startsWith('.')) found.foreign.add(path as string)
    else if (!found.modules.has(join(dirname(file), path))) reached(join(dirname(file), path), found)
  }
  return found
}

test('what is published needs nothing but openapi-fetch, so that it runs wherever there is fetch', () => {
  const { modules, foreign } = reached(join(folder, 'dist/index.js'))
  assert.ok(modules.size > 8)
  assert.deepEqual([...foreign], ['openapi-fetch'])
  const text = [...modules].map((file) => readFileSync(file, 'utf8')).join('\n')
  assert.doesNotMatch(text, /\b(?:process|Buffer|require|__dirname|Deno|Bun)\b\s*[.(]/)
})

test('the package holds what it needs, its types and its README, and neither tests nor generators', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
  })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  const { modules } = reached(join(folder, 'dist/index.js'))
  for (const module of modules) {
    assert.ok(paths.includes(module.slice(folder.length)), module)
    assert.ok(paths.includes(module.slice(folder.length).replace(/\.js$/, '.d.ts')), module)
  }
  assert.ok(paths.includes('README.md'))
  assert.deepEqual(
    paths.filter((path) => /test|generation|tsbuildinfo|^src/.test(path)),
    [],
  )
})
