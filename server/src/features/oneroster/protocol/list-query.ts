import { type Filter, parseFilter, rawPlus } from './filter.ts'
import { OneRosterError } from './oneroster-error.ts'

/** What a list is asked for. */
export interface ListQuery {
  readonly limit: number
  readonly offset: number
  readonly sort: string | null
  readonly isDescending: boolean
  readonly filter: Filter | null
  /** The members of the answer; null: all. */
  readonly fields: readonly string[] | null
}

const bounds = { limit: { default: 100, max: 10_000 } } as const

/**
 * Reads the query of a request. Names may have spaces around them, and unknown ones are ignored. Throws `invaliddata`
 * for a limit outside of 1 to 10 000 or an offset that is no whole number, and `invalid_filter_field`.
 */
export function parseListQuery(url: string): ListQuery {
  const parameters = parseParameters(url)
  const filter = parameters.get('filter')
  const fields = parameters.get('fields')
  return {
    limit: wholeNumber('limit', parameters.get('limit'), bounds.limit.default, 1, bounds.limit.max),
    offset: wholeNumber('offset', parameters.get('offset'), 0, 0, Number.MAX_SAFE_INTEGER),
    sort: plain(parameters.get('sort') ?? '') || null,
    isDescending: plain(parameters.get('orderBy') ?? '').toLowerCase() === 'desc',
    filter: filter === undefined || plain(filter) === '' ? null : parseFilter(filter),
    fields:
      fields === undefined || plain(fields) === ''
        ? null
        : plain(fields)
            .split(',')
            .map((name) => name.trim()),
  }
}

/** Of a single object only its members can be chosen. */
export function parseFields(url: string): readonly string[] | null {
  const fields = plain(parseParameters(url).get('fields') ?? '')
  return fields === '' ? null : fields.split(',').map((name) => name.trim())
}

/** The first value of each parameter by its trimmed name, with `rawPlus` for plus signs that were not percent-encoded. */
function parseParameters(url: string): Map<string, string> {
  const parameters = new Map<string, string>()
  const question = url.indexOf('?')
  if (question < 0) return parameters
  for (const part of url.slice(question + 1).split('&')) {
    const equals = part.indexOf('=')
    const name = plain(decode(equals < 0 ? part : part.slice(0, equals)))
    if (name !== '' && !parameters.has(name)) parameters.set(name, equals < 0 ? '' : decode(part.slice(equals + 1)))
  }
  return parameters
}

function decode(text: string): string {
  const marked = text.replaceAll(rawPlus, '').replaceAll('+', rawPlus)
  try {
    return decodeURIComponent(marked).replaceAll('\u0000', '')
  } catch {
    // A percent sign that begins no encoding is one.
    return marked.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(/(?:%[0-9A-Fa-f]{2})+/g, readable)
  }
}

function readable(encoded: string): string {
  return Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('\u0000', '')
}

/** A text in which plus signs are spaces, without spaces around it. */
function plain(text: string): string {
  return text.replaceAll(rawPlus, ' ').trim()
}

function wholeNumber(name: string, given: string | undefined, absent: number, min: number, max: number): number {
  if (given === undefined) return absent
  const text = plain(given)
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new OneRosterError('invaliddata', `${name} must be a whole number from ${min} to ${max}.`)
}
