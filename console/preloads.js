import { fileURLToPath } from 'node:url'
import { recordTypes } from '@matricula/contract/record-types'

/** A record type as it stands in an address. */
const slugOf = (type) => type.toLowerCase().replaceAll(' ', '-')

/** The virtual module with what is declared of a record type. */
export const fileOfType = (type) => `virtual:declared-type/${slugOf(type)}`

const source = fileURLToPath(new URL('src/', import.meta.url))
/** As the compiler has left it: each screen is named there by the file that has it. */
const routeTable = new URL('dist/route-table.js', import.meta.url)

/** The catalogues of each language, as `messages.tsx` loads them. */
const catalogues = {
  en: ['english', 'english-names'],
  es: ['spanish', 'spanish-names', 'spanish-plurals'],
  pt: ['portuguese', 'portuguese-names', 'portuguese-plurals'],
}

/**
 * Writes `preloads.json`: which files a screen, a record type and a language need beside those of the page itself. The service has the
 * browser load them together with the page, where it would ask for them only when the page's script runs.
 */
export const preloads = {
  name: 'preloads',
  async generateBundle(_, bundle) {
    const { routes } = await import(routeTable.href)
    const chunks = new Map(
      Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
    )
    const page = [...chunks.values()].find(({ isEntry }) => isEntry)
    const ofPage = withImports(chunks, page.fileName)
    const filesOf = (isMeant, name) => {
      const chunk = [...chunks.values()].find(
        ({ facadeModuleId }) => facadeModuleId !== null && isMeant(facadeModuleId),
      )
      if (chunk === undefined) throw new Error(`no file of the console has ${name}`)
      return [...withImports(chunks, chunk.fileName)].filter((name) => !ofPage.has(name))
    }
    const ofSource = (path) => filesOf((id) => id === `${source}${path}.ts` || id === `${source}${path}.tsx`, path)
    const screens = routes.map(({ pattern, load }) => {
      const [, path] = /import\(["']\.\/(.+?)\.js["']\)/.exec(String(load)) ?? []
      return { path: pattern.source, files: ofSource(path) }
    })
    const types = recordTypes.map(({ name }) => {
      const slug = slugOf(name)
      return [slug, filesOf((id) => id === `\0${fileOfType(name)}`, name)]
    })
    const languages = Object.entries(catalogues).map(([language, names]) => [
      language,
      names.flatMap((name) => ofSource(`messages/${name}`)),
    ])
    const text = JSON.stringify({ screens, types: Object.fromEntries(types), languages: Object.fromEntries(languages) })
    this.emitFile({ type: 'asset', fileName: 'preloads.json', source: text })
  },
}

/** A file with those that it imports, and those that they import. */
function withImports(chunks, name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of chunks.get(name)?.imports ?? []) withImports(chunks, imported, found)
  return found
}
