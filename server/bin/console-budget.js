// Says where the built console is heavier than what people on a slow line should wait for. Prints nothing where all is well.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const site = new URL('../../console/dist/site/', import.meta.url)
const most = { first: 130_000, screen: 60_000, shell: 110_000, reader: 650_000 }

/** What Vite wrote of each source: its file, what it needs at once, and what it loads later. */
const manifest = JSON.parse(readFileSync(new URL('manifest.json', site), 'utf8'))
const bytesOf = (file) => gzipSync(readFileSync(new URL(file, site)), { level: 9 }).length

/** The files that an entry loads at once. */
function filesOf(name, found = new Set()) {
  const { file, css = [], imports = [] } = manifest[name]
  if (found.has(file)) return found
  for (const each of [file, ...css]) found.add(each)
  for (const each of imports) filesOf(each, found)
  return found
}

const sum = (files) => [...files].reduce((total, file) => total + bytesOf(file), 0)
const shell = filesOf('index.html')
const screens = manifest['index.html'].dynamicImports.filter((name) => /\.tsx$/.test(name))
// One language comes with the page; the heaviest counts.
const words = Math.max(
  ...[
    ['english', 'english-names'],
    ['spanish', 'spanish-names', 'spanish-plurals'],
    ['portuguese', 'portuguese-names', 'portuguese-plurals'],
  ].map((names) => {
    const files = new Set(names.flatMap((name) => [...filesOf(`src/messages/${name}.ts`)]))
    return sum([...files].filter((file) => !shell.has(file)))
  }),
)
// What is declared of one type comes with its list or form; the heaviest counts.
const declared = Math.max(
  0,
  ...Object.entries(manifest)
    .filter(([name]) => name.includes('virtual:declared-type/'))
    .map(([, { file }]) => bytesOf(file)),
)
// What draws PDFs is a page by itself, loaded with the first of them.
const [readerPage] = readdirSync(new URL('assets/', site)).filter((name) => /^reader-\w+\.html$/.test(name))
const reader = bytesOf(`assets/${readerPage}`)
const faults = []
if (reader > most.reader) faults.push(`the reader of PDFs has ${reader} B of ${most.reader}`)
const told = [`shell ${sum(shell)} B, a language ${words} B, a type ${declared} B, the reader of PDFs ${reader} B`]
if (sum(shell) > most.shell) faults.push(`the shell has ${sum(shell)} B of ${most.shell}`)
for (const name of screens) {
  const ofTypes = name.startsWith('src/records/') ? declared : 0
  const own = sum([...filesOf(name)].filter((file) => !shell.has(file))) + ofTypes
  const first = sum(shell) + own + words
  told.push(`${name}: own ${own} B, first load ${first} B`)
  if (own > most.screen) faults.push(`${name} has ${own} B of its own, of ${most.screen}`)
  if (first > most.first) faults.push(`${name} is ${first} B when it is the first, of ${most.first}`)
}
if (declared === 0) faults.push('no declared types were found in the manifest of the build')
if (screens.length < 3) faults.push('no screens were found in the manifest of the build')
if (process.argv.includes('--tell')) process.stdout.write(`${told.join('\n')}\n`)
if (faults.length > 0) {
  process.stdout.write(`${['The console is too heavy, compressed by gzip:', ...faults].join('\n  ')}\n`)
  process.exitCode = 1
}
