import {
  activeScopes,
  type Domain,
  domains,
  extensionScopes,
  requestsPerMinute,
  type Scope,
  scopes,
} from '@matricula/contract'
import { Refusal } from '../errors/index.ts'

/** A whole number within bounds. Throws `Refusal`. */
export function parseWholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new Refusal('invalid_value', `${text} must be a whole number from ${least} to ${most}.`)
  }
}

export const parseRequestsPerMinute = parseWholeNumber(requestsPerMinute.minimum, requestsPerMinute.maximum)

/** What words stand for in a list of scopes: `all` for those of the interface, `extensions` for those beyond it. */
const namedScopes: Readonly<Record<string, readonly Scope[]>> = { all: activeScopes, extensions: extensionScopes }

/** A list of scopes, in which `all` and `extensions` stand for several. Throws `Refusal`. */
export function parseScopes(text: string): Scope[] {
  const words = parseWords(text).flatMap((word) => namedScopes[word] ?? word)
  return chosen(words.join(','), scopes, 'scope')
}

/** A list of domains. Throws `Refusal`. */
export function parseDomains(text: string): Domain[] {
  return chosen(text, domains, 'domain')
}

/** The words of a comma-separated list, without blanks. */
export function parseWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function chosen<Word extends string>(text: string, known: readonly Word[], noun: string): Word[] {
  const words = parseWords(text).map((word) => {
    const found = known.find((candidate) => candidate === word)
    if (found === undefined)
      throw new Refusal('invalid_value', `There is no ${noun} ${word}. There are: ${known.join(', ')}.`)
    return found
  })
  return [...new Set(words)]
}
