import {
  activeScopes,
  type Domain,
  domains,
  extensionScopes,
  requestsPerMinute,
  type Scope,
  scopes,
} from '@matricula/contract'
import { CommandError } from '../errors/index.ts'

/** A whole number within bounds. Throws `CommandError`. */
export function parseWholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new CommandError('invalid_value', `${text} must be a whole number from ${min} to ${max}.`)
  }
}

export const parseRequestsPerMinute = parseWholeNumber(requestsPerMinute.minimum, requestsPerMinute.maximum)

/** What words stand for in a list of scopes: `all` for those of the interface, `extensions` for those beyond it. */
const namedScopes: Readonly<Record<string, readonly Scope[]>> = { all: activeScopes, extensions: extensionScopes }

/** A list of scopes, in which `all` and `extensions` stand for several. Throws `CommandError`. */
export function parseScopes(text: string): Scope[] {
  const args = parseArgs(text).flatMap((word) => namedScopes[word] ?? word)
  return chosen(args.join(','), scopes, 'scope', Object.keys(namedScopes))
}

/** A list of domains. Throws `CommandError`. */
export function parseDomains(text: string): Domain[] {
  return chosen(text, domains, 'domain')
}

/** The words of a comma-separated list, without blanks. */
export function parseArgs(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function chosen<Word extends string>(
  text: string,
  known: readonly Word[],
  noun: string,
  named: readonly string[] = [],
): Word[] {
  const tokens = parseArgs(text).map((word) => {
    const found = known.find((candidate) => candidate === word)
    if (found === undefined)
      throw new CommandError(
        'invalid_value',
        `There is no ${noun} ${word}. There are: ${[...named, ...known].join(', ')}.`,
      )
    return found
  })
  return [...new Set(tokens)]
}
