import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { InstitutionFile } from '@matricula/contract'
import { labelsOf, recordTypes } from '@matricula/contract/record-types'
import { recordViews } from '@matricula/contract/record-views'
import { fileOfType, preloads } from './preloads.js'
import { reader } from './reader-page.js'

const site = fileURLToPath(new URL('dist/site/', import.meta.url))

/** Compresses each file once, here, so that the service only hands it out. */
const compressed = {
  name: 'compressed',
  closeBundle() {
    for (const folder of [site, `${site}assets/`]) {
      for (const name of readdirSync(folder).filter((file) => /\.(?:js|css|html|svg|wasm|ttf)$/.test(file))) {
        const bytes = readFileSync(folder + name)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${folder}${name}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${folder}${name}.gz`, gzipSync(bytes, { level: 9 }))
      }
    }
  },
}

/** What the browser has no use for: how the service keeps records. */
const ofTheService = new Set(['plural', 'personField', 'guardianField', 'taught', 'reachedBy', 'isCatalogue'])

const readNames = (language) =>
  JSON.parse(readFileSync(new URL(`messages/names.${language}.json`, import.meta.url), 'utf8'))

/** What the labels of a type are called in the languages other than English. */
function namesOf(type) {
  const labels = labelsOf(type)
  const chosen = (names) => Object.fromEntries(Object.entries(names).filter(([label]) => labels.has(label)))
  return { es: chosen(readNames('es')), pt: chosen(readNames('pt')) }
}

/**
 * Each record type with its view as a file of its own, `virtual:declared-type/…`, and a table of them, `virtual:declared-types`: whoever opens a list
 * loads what that list is of, and nothing of the others.
 */
const declarations = {
  name: 'declarations',
  resolveId: (id) => (id.startsWith('virtual:declared-type') ? `\0${id}` : undefined),
  load(id) {
    if (id === '\0virtual:declared-types') {
      const entries = recordTypes.map(({ name }) => `'${name}': () => import('${fileOfType(name)}')`)
      return `export const declaredTypes = {\n${entries.join(',\n')}\n}`
    }
    const type = recordTypes.find(({ name }) => id === `\0${fileOfType(name)}`)
    if (type === undefined) return undefined
    const view = recordViews.find((each) => each.type === type.name)
    const text = JSON.stringify({ ...type, view }, (key, value) => (ofTheService.has(key) ? undefined : value))
    return `export default ${text}\nexport const names = ${JSON.stringify(namesOf(type))}`
  },
}

/** What the settings of an institution may be, as a file of its own: `virtual:settings-schema`. */
const settingsSchema = {
  name: 'settings-schema',
  resolveId: (id) => (id === 'virtual:settings-schema' ? `\0${id}` : undefined),
  load: (id) =>
    id === '\0virtual:settings-schema'
      ? `export default JSON.parse(${JSON.stringify(JSON.stringify(InstitutionFile))})`
      : undefined,
}

/** One build serves every institution: its files lie at one root address, and the page finds out where it stands by itself. */
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [declarations, settingsSchema, reader, preloads, compressed],
  build: {
    outDir: site,
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    // Libraries mark what runs in a browser; all of this does.
    rolldownOptions: {
      // Controls are needed together: one file of them is smaller than a file for each.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'controls',
              test: /records\/(?:form\/(?:value-control|decimal-input|link-control|control-props)|decimal-text|money)\.|elements\/combobox\./,
            },
          ],
        },
      },
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
}
