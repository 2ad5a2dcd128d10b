import { type MessageFormatElement, type NumberElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** What a message is given for an argument. */
type ArgumentType = 'number' | 'string'

/** The arguments of a message in the order in which they first stand in it. */
export type Arguments = ReadonlyMap<string, ArgumentType>

/** A message of a catalogue, parsed. */
export interface Message {
  readonly elements: readonly MessageFormatElement[]
  readonly arguments: Arguments
}

/** Whether a number is written without separators of its digits: the skeleton `::group-off`. */
const isUngrouped = ({ style }: NumberElement) =>
  typeof style === 'object' && style?.tokens.length === 1 && style.tokens[0]?.stem === 'group-off'

/**
 * Parses a message of ICU MessageFormat: text, `{name}`, `{count, number}`, `{count, number, ::group-off}` and `{count, plural, …}`.
 *
 * @throws {Error} Where the message is no MessageFormat, or uses another part of it.
 */
export function parseMessage(text: string): Message {
  const elements = parse(text, { ignoreTag: true, requiresOtherClause: true })
  const found = new Map<string, ArgumentType>()
  const visit = (parts: readonly MessageFormatElement[]) => {
    for (const part of parts) {
      if (part.type === TYPE.literal || part.type === TYPE.pound) continue
      if (part.type === TYPE.argument) found.set(part.value, found.get(part.value) ?? 'string')
      else if (part.type === TYPE.number && (part.style == null || isUngrouped(part))) found.set(part.value, 'number')
      else if (part.type === TYPE.plural && part.pluralType === 'cardinal' && part.offset === 0) {
        found.set(part.value, 'number')
        for (const { value } of Object.values(part.options)) visit(value)
      } else
        throw new Error(
          `Only {name}, {count, number}, {count, number, ::group-off} and {count, plural, …} are known here: ${text}`,
        )
    }
  }
  visit(elements)
  return { elements, arguments: found }
}

/** The categories of each plural of a message, exact numbers such as `=0` left out. */
export function pluralCategories({ elements }: Message): string[][] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural) return []
    const nested = Object.values(element.options).flatMap(({ value }) =>
      pluralCategories({ elements: value, arguments: new Map() }),
    )
    return [Object.keys(element.options).filter((category) => !category.startsWith('=')), ...nested]
  })
}

/** Text that cannot end the template literal in which it stands, nor compute in it. */
const escapeTemplate = (text: string) => text.replace(/[\\`]|\$\{/g, '\\$&')

/** What stands between the quotes of a template literal that computes a message. */
function toTemplate(elements: readonly MessageFormatElement[], counted = ''): string {
  return elements
    .map((element) => {
      if (element.type === TYPE.literal) return escapeTemplate(element.value)
      if (element.type === TYPE.pound) return `\${number.format(${counted})}`
      if (element.type === TYPE.number) {
        return `\${${isUngrouped(element) ? 'ungrouped' : 'number'}.format(${element.value})}`
      }
      if (element.type === TYPE.plural) return `\${${toChoice(element.value, element.options)}}`
      return 'value' in element ? `\${${element.value}}` : ''
    })
    .join('')
}

/** The expression that chooses a form of a plural. A category that reads as `other` does is not asked about. */
function toChoice(
  counted: string,
  options: Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>,
): string {
  const forms = Object.entries(options).map(([category, { value }]): [string, string] => [
    category,
    `\`${toTemplate(value, counted)}\``,
  ])
  const other = new Map(forms).get('other') ?? '``'
  return forms
    .filter(([, form]) => form !== other)
    .reduceRight<string>((rest, [category, form]) => {
      const condition = category.startsWith('=')
        ? `${counted} === ${category.slice(1)}`
        : `plural.select(${counted}) === '${category}'`
      return `(${condition} ? ${form} : ${rest})`
    }, other)
}

/**
 * The TypeScript expression of a message: a string, or a function of its arguments where it has any.
 *
 * @param order The arguments in the order of the English message, because call sites give them by position.
 */
export function toExpression({ elements }: Message, order: Arguments): string {
  const parameters = [...order].map(([name, type]) => `${name}: ${type}`).join(', ')
  const body = `\`${toTemplate(elements)}\``
  return parameters === '' ? JSON.stringify(toPlainText(elements)) : `(${parameters}) => ${body}`
}

function toPlainText(elements: readonly MessageFormatElement[]): string {
  return elements.map((element) => (element.type === TYPE.literal ? element.value : '')).join('')
}
