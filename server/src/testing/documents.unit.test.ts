import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { problems } from '@matricula/contract'
import { servedDocuments } from '../reference/documents.ts'
import { blocksOf, documentPaths, documentText, programs, shown } from './documents.ts'

const root = new URL('../../../', import.meta.url)
const paths = documentPaths()

test('every block of every document has a language that is run or only shown, and says why it is not run', () => {
  assert.ok(paths.length > 40)
  for (const path of paths) {
    for (const { language, line, marking } of blocksOf(path)) {
      assert.ok([...programs, ...shown].includes(language), `${path}:${line} has the language "${language}"`)
      if (marking.kind === 'not run') assert.ok(marking.reason.length > 10, `${path}:${line} says why it is not run`)
      if (shown.includes(language)) assert.equal(marking.kind, 'runs', `${path}:${line} is no program`)
    }
  }
})

test('every link of every document leads to a file and a heading that exist', () => {
  for (const path of paths) {
    const text = documentText(path)
      .replace(/^( *)```.*?^\1```$/gms, '')
      .replace(/`[^`]*`/g, '')
    for (const [, link = ''] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [file = '', place] = link.split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      assert.ok(existsSync(new URL(target, root)), `${path} links to ${link}`)
      if (place === undefined) continue
      const ids = [...documentText(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
      )
      assert.ok(ids.includes(place), `${path} links to ${link}`)
    }
  }
})

test('the pictures of the README are there, and small', () => {
  const pictures = [...documentText('README.md').matchAll(/!\[[^\]]{10,}\]\((\S+)\)/g)].map(
    ([, path]) => path as string,
  )
  assert.equal(pictures.length, 4)
  for (const path of pictures) assert.ok(statSync(new URL(path, root)).size < 150_000, path)
})

test('every document below docs has a page of the service', () => {
  const served = servedDocuments.map(({ file }) => file)
  assert.deepEqual(
    paths.filter((path) => path.startsWith('docs/') && !served.includes(path)),
    [],
  )
})

test('the guide to errors says of every code of the Client API who must act', () => {
  const guide = documentText('docs/errors.md')
  const told = new Set([...guide.matchAll(/`(\w+)`/g)].map(([, code]) => code))
  const { signature_invalid: _, ...ofClientApi } = problems
  assert.deepEqual(
    Object.keys(ofClientApi).filter((code) => !told.has(code)),
    [],
  )
})

test('the sync in Python of the guide needs nothing but requests, and has less than forty lines', () => {
  const [program] = blocksOf('docs/first-sync.md').filter(({ language }) => language === 'python')
  const lines = (program?.text ?? '').trim().split('\n')
  assert.ok(lines.length < 40, `${lines.length} lines`)
  const imports = lines.flatMap((line) => /^(?:import|from) (\w+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(imports.sort(), ['json', 'os', 'requests', 'time'])
})
