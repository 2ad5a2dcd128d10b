import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientApi } from '@matricula/contract'
import { recordTypes } from '@matricula/contract/record-types'
import { findTooling, skipWithout, type Tooling } from '../fixtures/tooling.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A regular expression of the source, or of a declaration. */
interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** What may be written with `new RegExp` though its source is not known before: its patterns are checked where they come in. */
const checkedElsewhere = [
  'server/src/features/forms/templates/answer-pattern.ts',
  'server/src/features/personal-data/identifying-terms.ts',
]

const files = ['server', 'demo', 'pages', 'contract'].flatMap((workspace) =>
  readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture|harness|d)\.ts$|^testing\//.test(file))
    .map((file) => `${workspace}/src/${file}`),
)

/** A node of the syntax tree that acorn makes (ESTree). */
interface Node {
  readonly type: string
}

type Literal = Node & { value?: unknown; regex?: { pattern: string; flags: string } }

/** The patterns of a file, off what the compiler made of it. What cannot be known before it runs has the source null. */
function findPatterns(tooling: Tooling, file: string): (Omit<Pattern, 'source'> & { source: string | null })[] {
  const { parse } = tooling.load<{ parse(text: string, options: object): Node }>('acorn')
  const { full } = tooling.load<{ full(tree: Node, visit: (node: Node) => void): void }>('acorn-walk')
  const compiled = join(root, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
  const program = parse(readFileSync(compiled, 'utf8'), { sourceType: 'module', ecmaVersion: 'latest' })
  const constants = new Map<string, Node>()
  const found: (Omit<Pattern, 'source'> & { source: string | null })[] = []
  full(program, (node) => {
    if (node.type !== 'VariableDeclarator') return
    const { id, init } = node as Node & { id: Node & { name?: string }; init: Node | null }
    if (id.name !== undefined && init !== null) constants.set(id.name, init)
  })
  full(program, (node) => {
    const { regex } = node as Literal
    if (regex !== undefined) found.push({ place: file, source: regex.pattern, flags: regex.flags })
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return
    const { callee, arguments: given } = node as Node & { callee: Node & { name?: string }; arguments: Node[] }
    if (callee.name !== 'RegExp') return
    const [source, flags] = given
    found.push({
      place: file,
      source: source === undefined ? '' : findText(source, constants),
      flags: flags === undefined ? '' : (findText(flags, constants) ?? ''),
    })
  })
  return found
}

/** The text that an expression of constants makes, or null. */
function findText(expression: Node, constants: ReadonlyMap<string, Node>): string | null {
  const joined = (parts: (string | null)[]) => (parts.includes(null) ? null : parts.join(''))
  switch (expression.type) {
    case 'Literal': {
      const { value } = expression as Literal
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null
    }
    case 'Identifier': {
      const constant = constants.get((expression as Node & { name: string }).name)
      return constant === undefined ? null : findText(constant, constants)
    }
    case 'BinaryExpression': {
      const { operator, left, right } = expression as Node & { operator: string; left: Node; right: Node }
      const [first, second] = [findText(left, constants), findText(right, constants)]
      if (operator !== '+' || first === null || second === null) return null
      const areNumbers = [left, right].every((each) => /^\d+$/.test(findText(each, constants) ?? ''))
      return areNumbers ? String(Number(first) + Number(second)) : first + second
    }
    case 'TemplateLiteral': {
      const { quasis, expressions } = expression as Node & {
        quasis: { value: { cooked: string } }[]
        expressions: Node[]
      }
      const inner = expressions.map((each) => findText(each, constants))
      return joined(
        quasis.flatMap(({ value }, index) => [value.cooked, index < inner.length ? (inner[index] ?? null) : '']),
      )
    }
    default:
      return null
  }
}

/** The patterns that declarations name, as JSON Schema has them. */
function declaredPatterns(declarations: unknown, location: string): Pattern[] {
  const found = new Set<string>()
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { pattern } = value as { pattern?: unknown }
    if (typeof pattern === 'string') found.add(pattern)
    for (const member of Object.values(value)) walk(member)
  }
  walk(declarations)
  return [...found].map((source) => ({ place: location, source, flags: 'u' }))
}

const tooling = findTooling()
const skip = skipWithout(tooling)
const patterns = tooling === null ? [] : files.flatMap((file) => findPatterns(tooling, file))

/** What decides is how many steps there are, not a clock: where others are at work, a pattern would be slow that is not. */
const bySteps = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 1 }

/** What recheck finds of a pattern. */
interface Finding {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  readonly complexity?: { readonly summary: string }
  readonly attack?: { readonly pattern: string }
  readonly error?: { readonly kind: string }
}

test('every regular expression takes a time that grows with the length of its text, not with the square of it', {
  skip,
}, () => {
  if (tooling === null) return
  const { checkSync } = tooling.load<{ checkSync(source: string, flags: string, bounds: object): Finding }>('recheck')
  const known = patterns.filter((pattern): pattern is Pattern => pattern.source !== null)
  const declared = [...declaredPatterns(clientApi, 'client-api'), ...declaredPatterns(recordTypes, 'record-types')]
  const all = new Map([...known, ...declared].map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]))
  assert.ok(all.size > 150)
  const slow = [...all].flatMap(([shown, { place: location, source, flags }]) => {
    const found = checkSync(source, flags, bySteps)
    if (found.status === 'safe') return []
    const reported =
      found.status === 'vulnerable' ? `${found.complexity?.summary} for ${found.attack?.pattern}` : found.error?.kind
    return [`${location}: ${shown} is ${reported}`]
  })
  assert.deepEqual(slow, [])
})

test('a regular expression is written where its source is known, so that it can be checked', () => {
  const unknown = patterns.filter(({ source }) => source === null).map(({ place: location }) => location)
  assert.deepEqual([...new Set(unknown)].sort(), checkedElsewhere)
})
