/** The most values of a JSON text of less than two mebibytes; a longer one may have as many for each. */
const maxValues = 120_000

/** The most values of any JSON text: a list of a hundred thousand rows with ten fields each. */
const maxValuesOfAll = 1_000_000

/** The most keys of one object. */
const maxKeys = 1000

/**
 * The most levels of objects and lists within each other, as both surfaces take them. Parsing a mebibyte of levels
 * takes tenths of a second.
 */
const maxLevels = 32

/** What a JSON text has too much of. */
export interface JsonExcess {
  readonly of: 'values' | 'keys' | 'levels'
  readonly max: number
  /** The key of the outermost object in which it is, as it is written in the text; null where it is in none. */
  readonly member: string | null
  /** Whether it is that member itself, not something below it. */
  readonly isMember: boolean
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, openBracket, closeBrace, closeBracket] = [0x7b, 0x5b, 0x7d, 0x5d]

/**
 * What a JSON text (RFC 8259) has too much of, or null: values take many times the time and the memory of the text that they are in, so they
 * are counted before it is parsed. Of a text that is no JSON it may say anything.
 *
 * @param most the most values, where it is not as many as a body of that length may have
 */
export function jsonExcess(text: string, max = maxValuesOf(text)): JsonExcess | null {
  if (text.length <= maxLevels) return null
  let values = 1
  let member: string | null = null
  let lastText: [from: number, to: number] = [0, 0]
  // How many keys each open object has until now; -1 for a list.
  const open: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfText(text, at)
        lastText = [at + 1, end]
        at = end
        break
      }
      case colon:
        if (open.length === 1) member = text.slice(...lastText)
        break
      case comma: {
        values += 1
        const keys = open[open.length - 1] ?? -1
        if (keys >= maxKeys) {
          return { of: 'keys', max: maxKeys, member: open.length > 1 ? member : null, isMember: open.length === 2 }
        }
        if (keys > 0) open[open.length - 1] = keys + 1
        break
      }
      case openBrace:
        values += 1
        open.push(1)
        if (open.length > maxLevels) return { of: 'levels', max: maxLevels, member: null, isMember: false }
        break
      case openBracket:
        values += 1
        open.push(-1)
        if (open.length > maxLevels) return { of: 'levels', max: maxLevels, member: null, isMember: false }
        break
      case closeBrace:
      case closeBracket:
        open.pop()
        break
    }
    if (values > max) return { of: 'values', max: max, member: null, isMember: false }
  }
  return null
}

function maxValuesOf({ length }: string): number {
  const mebibytes = Math.max(1, Math.floor(length / (1024 * 1024)))
  return Math.min(maxValuesOfAll, maxValues * mebibytes)
}

/** Where the quote stands that ends a text. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
