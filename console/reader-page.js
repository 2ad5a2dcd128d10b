import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const { resolve } = createRequire(import.meta.url)
const library = dirname(resolve('pdfjs-dist/package.json'))
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What some papers need beside the reader: decoders of images, the fonts that every reader has, tables of Asian characters. */
const beside = ['wasm', 'standard_fonts', 'cmaps'].flatMap((folder) =>
  readdirSync(`${library}/${folder}`)
    .filter((name) => /^(?!quickjs|qcms).*\.(?:wasm|pfb|ttf|bcmap)$/.test(name))
    .map((name) => ({ name, bytes: readFileSync(`${library}/${folder}/${name}`) })),
)

/** The terms of what is handed on. */
const licences = ['.', 'wasm', 'standard_fonts', 'cmaps'].flatMap((folder) =>
  readdirSync(`${library}/${folder}`)
    .filter((name) => name.startsWith('LICENSE'))
    .map((name) => ({
      name: `${folder}-${name}`.replace('.-', 'pdfjs-'),
      text: readFileSync(`${library}/${folder}/${name}`),
    })),
)

/** A script as one file without imports: browsers let a page without an origin begin no worker that is a module of its own. */
async function scriptOf(input) {
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, target: 'es2023', rolldownOptions: { input, output: { format: 'iife' } } },
  })
  return output[0].code
}

/** The reader as one page that loads nothing: its policy names its script and its style by their hashes, and no address at all. */
async function pageOf(folder) {
  const script = await scriptOf(`${folder}src/reader/reader.ts`)
  const style = readFileSync(`${folder}src/reader/reader.css`, 'utf8')
  const worker = await scriptOf(`${library}/legacy/build/pdf.worker.min.mjs`)
  for (const text of [script, worker]) {
    if (/<\/script|<!--/i.test(text)) throw new Error('A script of the reader would end its element.')
  }
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types reader',
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>PDF</title>
<style>${style}</style>
</head>
<body>
<script type="text/plain" id="worker">${worker}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

/**
 * The reader of PDFs (`src/reader`) as one page, and what some papers need beside it; `virtual:reader` tells their addresses. Names have the hash of what
 * they name, all of the files beside it one.
 */
export const reader = {
  name: 'reader',
  resolveId: (id) => (id === 'virtual:reader' ? `\0${id}` : undefined),
  async load(id) {
    if (id !== '\0virtual:reader') return undefined
    const folder = fileURLToPath(new URL('.', import.meta.url))
    const page = await pageOf(folder)
    const short = (hash) => hash.digest('hex').slice(0, 12)
    const pageName = `assets/reader-${short(createHash('sha256').update(page))}.html`
    const all = createHash('sha256')
    for (const { bytes } of beside) all.update(bytes)
    const prefix = `assets/reader-${short(all)}-`
    this.emitFile({ type: 'asset', fileName: pageName, source: page })
    for (const { name, bytes } of beside) this.emitFile({ type: 'asset', fileName: prefix + name, source: bytes })
    for (const { name, text } of licences)
      this.emitFile({ type: 'asset', fileName: `licences/${name}.txt`, source: text })
    return `export const readerPage = '/console/${pageName}'\nexport const besideReader = '/console/${prefix}'\n`
  },
}
