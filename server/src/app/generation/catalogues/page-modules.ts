import { readCatalogue, root } from './catalogue.ts'
import { type CatalogueModule, formatters, header, templates, toLiteral } from './literal.ts'

/** The languages of the pages, mails and printed letters, and what their modules are called. */
const pageLanguages = { en: 'english', es: 'spanish', fr: 'french', pt: 'portuguese' } as const

/** Every module that is made of the catalogue of pages, mails and printed letters, one for each language. */
export function pageModules(): CatalogueModule[] {
  const source = readCatalogue('pages/messages/pages', 'en')
  return Object.entries(pageLanguages).map(([language, name]) => {
    const own = readCatalogue('pages/messages/pages', language)
    const literal = toLiteral(own, { source, templateKeys: templates.pages })
    const declared =
      name === 'english'
        ? `/** What pages, mails and printed letters say in English. */\nexport const english = ${literal}

/** What pages, mails and printed letters say in one language. */
export type Messages = typeof english\n`
        : `export const ${name}: Messages = ${literal}\n`
    const imported = name === 'english' ? '' : "import type { Messages } from './english.ts'\n\n"
    return {
      location: new URL(`pages/src/messages/${name}.ts`, root),
      content: `${header(`pages/messages/pages.${language}.json`)}${imported}${formatters(language, literal)}\n${declared}`,
    }
  })
}
