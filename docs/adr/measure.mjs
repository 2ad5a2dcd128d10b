// Prints figures of the source, for the eye; nothing depends on them. Compile first: npx tsc -b
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const listed = process.argv.includes('--list')
const workspaces = ['acceptance', 'bench', 'console', 'contract', 'demo', 'examples', 'mcp', 'pages', 'sdk', 'server']

const files = workspaces.flatMap((workspace) =>
  readdirSync(join(root, workspace), { recursive: true, encoding: 'utf8' })
    .map((path) => `${workspace}/${path}`)
    .filter((path) => /\/src\/.*\.tsx?$/.test(path) && !/node_modules|\/generated\/|\.d\.ts$/.test(path)),
)
const modules = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
const sources = modules.filter(({ file }) => !/\.(?:test|fixture|harness)\.tsx?$|\/testing\//.test(file))

/** A source whose comments, texts and regular expressions are blank, line breaks kept. */
function blanked(text) {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g
  return text.replace(token, (found) => found.replace(/[^\n]/g, ' '))
}

/** Where the bracket that opens at an index closes. */
function closing(code, from) {
  const [open, close] = code[from] === '(' ? '()' : '{}'
  let depth = 0
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === open) depth += 1
    else if (code[at] === close) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return code.length
}

/** Functions and methods with a body in braces: name, line, lines, and cyclomatic complexity, nested functions included. */
function functionsIn({ file, text }) {
  const code = blanked(text)
  const heads =
    /(?:\bfunction\*?\s+(\w+)|^\s+(?:(?:private|static|async|override)\s+)*(?!if|for|while|switch|catch|return)(\w+))\s*(?:<[^(){}]*>)?\(/gm
  const found = []
  for (const head of code.matchAll(heads)) {
    const after = closing(code, head.index + head[0].length - 1) + 1
    const body = /^\s*(?::[^={;]*(?:\{[^}]*\}[^={;]*)?)?\{/.exec(code.slice(after))
    if (body === null) continue
    const from = after + body[0].length - 1
    const inside = code.slice(from, closing(code, from))
    const branches = inside.match(/\b(?:if|for|while|case|catch)\b|&&|\|\||\?\?|\?(?![.?:])/g) ?? []
    const line = code.slice(0, head.index).split('\n').length
    found.push({
      name: head[1] ?? head[2],
      where: `${file}:${line}`,
      lines: inside.split('\n').length,
      complexity: branches.length + 1,
    })
  }
  return found
}

function print(title, value, items = []) {
  console.log(`${title}: ${value}`)
  if (listed) for (const item of items) console.log(`  ${item}`)
}

const lines = sources.flatMap(({ file, text }) =>
  text.split('\n').map((line, at) => ({ where: `${file}:${at + 1}`, line })),
)
const exported = sources.flatMap(({ text }) => text.match(/^export (?!\*|\{|type \{)/gm) ?? [])
print('modules, tests left out', sources.length)
print('exports per 1000 lines', ((exported.length / lines.length) * 1000).toFixed(1))

const long = lines.filter(({ line }) => line.length > 120)
print(
  'source lines over 120 characters',
  long.length,
  long.map(({ where }) => where),
)

const folders = new Map()
for (const { file } of sources) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file])
const wide = [...folders].filter(([, inside]) => inside.length > 25)
print(
  'folders of more than 25 modules',
  wide.length,
  wide.map(([folder, inside]) => `${folder}: ${inside.length}`),
)

const functions = sources.flatMap(functionsIn)
const complex = functions
  .filter(({ complexity }) => complexity > 15)
  .sort((one, other) => other.complexity - one.complexity)
print(
  'functions of a cyclomatic complexity over 15',
  complex.length,
  complex.map(({ name, where, complexity }) => `${where} ${name}: ${complexity}`),
)

const components = functions.filter(
  ({ name, where, lines }) => where.startsWith('console/') && /^[A-Z]/.test(name) && lines > 100,
)
print(
  'components of the console over 100 lines',
  components.length,
  components.map(({ name, where, lines }) => `${where} ${name}: ${lines}`),
)

const { findRetiredWords, readModules } = await import(
  new URL('server/dist/testing/rules/retired-words.js', `file://${root}`).href
)
const retired = [...findRetiredWords(readModules())].filter(([, uses]) => uses.length > 0)
print(
  'uses of retired words',
  retired.reduce((sum, [, uses]) => sum + uses.length, 0),
  retired.map(([word, uses]) => `${word}: ${uses.length}`),
)
