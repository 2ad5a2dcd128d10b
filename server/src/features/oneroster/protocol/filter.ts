import { OneRosterError } from './oneroster-error.ts'

export type FilterOperator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~'

/** One condition of a filter. */
export interface Condition {
  readonly field: string
  readonly operator: FilterOperator
  /** The readings of the value, the likeliest first: a plus sign of the address may be a space. */
  readonly values: readonly string[]
}

/** A filter: conditions that are joined in one way. */
export interface Filter {
  readonly joinedBy: 'and' | 'or'
  readonly conditions: readonly Condition[]
}

/** Stands in a text for a plus sign that was not percent-encoded. */
export const rawPlus = '\uE000'

const blank = `[ ${rawPlus}]`
const head = new RegExp(`${blank}*([A-Za-z][\\w.]*)${blank}*(!=|>=|<=|=|>|<|~)${blank}*'`, 'y')
const joint = new RegExp(`${blank}+(AND|OR)${blank}+`, 'iy')
const end = new RegExp(`${blank}*$`, 'y')

const maxConditions = 20

/**
 * Reads a filter such as `familyName='O''Neil' AND status='active'`. A value ends at a quote that is followed by the
 * end or by a conjunction, so that quotes inside may stand single or doubled. Throws `invalid_filter_field`.
 *
 * @param text The filter, with `rawPlus` for each plus sign that was not percent-encoded
 */
export function parseFilter(text: string): Filter {
  const conditions: Condition[] = []
  const joints = new Set<string>()
  for (let at = 0; ; ) {
    head.lastIndex = at
    const found = head.exec(text)
    if (found === null) throw unreadable("Write field, operator and a value in quotes, such as status='active'.")
    const [, field = '', operator = '='] = found
    const { value, next } = readValue(text, head.lastIndex)
    conditions.push({ field, operator: operator as FilterOperator, values: getReadings(value) })
    if (conditions.length > maxConditions) throw unreadable(`A filter may have at most ${maxConditions} conditions.`)
    end.lastIndex = next
    if (end.test(text)) break
    joint.lastIndex = next
    joints.add((joint.exec(text)?.[1] ?? '').toLowerCase())
    at = joint.lastIndex
  }
  if (joints.size > 1) throw unreadable('Join conditions by AND or by OR, not by both.')
  return { joinedBy: joints.has('or') ? 'or' : 'and', conditions }
}

function unreadable(advice: string): OneRosterError {
  return new OneRosterError('invalid_filter_field', `The filter cannot be read. ${advice}`)
}

/** A value from behind its first quote on, and where the text goes on behind its last one. */
function readValue(text: string, from: number): { value: string; next: number } {
  let value = ''
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] as string
    if (character !== "'") {
      value += character
      continue
    }
    if (text[at + 1] === "'") {
      value += "'"
      // Two at the end: a single one inside, and the one that closes.
      if (endsAt(text, at + 2)) return { value, next: at + 2 }
      at += 1
      continue
    }
    if (endsAt(text, at + 1)) return { value, next: at + 1 }
    value += "'"
  }
  throw unreadable('A value has no closing quote.')
}

function endsAt(text: string, at: number): boolean {
  end.lastIndex = at
  joint.lastIndex = at
  return end.test(text) || joint.test(text)
}

function getReadings(value: string): string[] {
  if (!value.includes(rawPlus)) return [value]
  return [value.replaceAll(rawPlus, ' '), value.replaceAll(rawPlus, '+')]
}
