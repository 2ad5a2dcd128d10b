import type { Catalogue } from './catalogue.ts'
import { type Arguments, parseMessage, toExpression } from './message.ts'

/** A module of TypeScript that is made of catalogues. */
export interface CatalogueModule {
  readonly location: URL
  readonly content: string
}

/** The first line of a module, which names the catalogue that it is made of. */
export const header = (catalogue: string) => `// Generated from ${catalogue} by npm run generate; do not edit.\n`

/** Groups that call sites read by a key from the service. */
const openGroups = new Set(['faults.known', 'languages', 'members', 'options', 'states'])

/**
 * Messages by surface whose arguments the place of use fills in itself, after the language is chosen: single ones by their keys, and
 * whole groups by the group's.
 */
export const templates: Readonly<Record<string, ReadonlySet<string>>> = {
  preview: new Set(['page']),
  pages: new Set(['script']),
}

/** What a catalogue is compiled with. */
interface LiteralOptions {
  /** The catalogue of the language that call sites are typed by. */
  readonly source: Catalogue
  readonly templateKeys?: ReadonlySet<string> | undefined
  /** The group that the catalogue is, with a dot at its end. */
  readonly group?: string
}

/** A key as it stands in an object literal. */
const toKey = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))

/** The object literal of a catalogue: a string for each message, or a function of its arguments. */
export function toLiteral(catalogue: Catalogue, options: LiteralOptions): string {
  const { source, templateKeys = new Set(), group = '' } = options
  const entries = Object.entries(catalogue).map(([key, value]) => {
    const path = `${group}${key}`
    const same = source[key]
    if (typeof value !== 'string') {
      const inner = { ...options, source: typeof same === 'object' ? same : value, group: `${path}.` }
      const isOpen = openGroups.has(path)
      return `${toKey(key)}: ${toLiteral(value, inner)}${isOpen ? ' as Readonly<Record<string, string>>' : ''},`
    }
    if (templateKeys.has(path) || templateKeys.has(group.slice(0, -1)))
      return `${toKey(key)}: ${JSON.stringify(value)},`
    const order: Arguments = parseMessage(typeof same === 'string' ? same : value).arguments
    return `${toKey(key)}: ${toExpression(parseMessage(value), order)},`
  })
  return `{\n${entries.join('\n')}\n}`
}

/** The object literal of names, in which nothing is put in. */
export const namesLiteral = (names: Readonly<Record<string, string>>) =>
  `{\n${Object.entries(names)
    .map(([key, value]) => `${toKey(key)}: ${JSON.stringify(value)},`)
    .join('\n')}\n}`

/** What counts and writes numbers in a language, where a literal uses it. */
export function formatters(language: string, literal: string): string {
  const declared = [
    ['number', `Intl.NumberFormat('${language}')`],
    ['ungrouped', `Intl.NumberFormat('${language}', { useGrouping: false })`],
    ['plural', `Intl.PluralRules('${language}')`],
  ] as const
  return declared
    .filter(([name]) => [`${name}.format(`, `${name}.select(`].some((call) => literal.includes(call)))
    .map(([name, made]) => `const ${name} = new ${made}\n`)
    .join('')
}
