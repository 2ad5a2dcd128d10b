import { scoreStatuses } from '@matricula/contract'
import { isCalendarDate, parseStamp } from '../../../http/index.ts'
import { jsonExcess } from '../../../values/index.ts'
import { OneRosterError } from '../protocol/oneroster-error.ts'
import type { GradebookKind, MemberType } from './gradebook-kinds.ts'

/** An object that a platform has sent, read. */
export interface SentEntry {
  readonly sourcedId: string
  /** Whether the platform says that it is gone. */
  readonly isGone: boolean
  /** The members as they are stored: references as sourcedIds. */
  readonly content: Readonly<Record<string, unknown>>
}

const invalid = (detail: string) => new OneRosterError('invaliddata', detail)

const maxText = 32_768

/** Whether a text may be a sourcedId. */
export const isSourcedId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9A-Za-z./@_-]{1,255}$/.test(text)

/** Reads the body of a write: one JSON object with the key of its operation. Throws `invaliddata`. */
export function parseBody(body: unknown, key: string): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const text = bytes.toString('utf8')
  if (jsonExcess(text) !== null) throw invalid('The body has more values or levels than one request may have.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(`The body is not JSON: send { "${key}": … }.`)
  }
  const content = isObject(value) ? value[key] : undefined
  if (content === undefined) throw invalid(`The body has no ${key}: send { "${key}": … }.`)
  return content
}

/** Reads an object of a class; an absent sourcedId is the one that is given. Throws `invaliddata`. */
export function parseEntry(kind: GradebookKind, sent: unknown, sourcedId: string | null): SentEntry {
  if (!isObject(sent)) throw invalid(`A ${kind.name} is a JSON object.`)
  const id = sent.sourcedId ?? sourcedId
  if (!isSourcedId(id)) {
    throw invalid('The sourcedId must have 1 to 255 letters, digits and the characters . / @ _ -.')
  }
  if (sourcedId !== null && id !== sourcedId)
    throw invalid('The sourcedId of the body is another one than that of the address.')
  if (![undefined, null, 'active', 'tobedeleted'].includes(sent.status as string)) {
    throw invalid('status must be active or tobedeleted.')
  }
  const content: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sent)) {
    if (['sourcedId', 'status', 'dateLastModified'].includes(name) || value === null || value === '') continue
    const type = Object.hasOwn(kind.members, name) ? kind.members[name] : name === 'metadata' ? 'metadata' : undefined
    if (type === undefined) throw invalid(`${name} is no member of a ${kind.name}.`)
    content[name] = type === 'metadata' ? requireMetadata(value) : parseMember(name, type, value)
  }
  const missing = kind.required.filter((name) => !(name in content))
  if (missing.length > 0) throw invalid(`A ${kind.name} needs ${missing.join(', ')}.`)
  return { sourcedId: id, isGone: sent.status === 'tobedeleted', content }
}

function requireMetadata(value: unknown): unknown {
  if (isObject(value) && !hasNul(value)) return value
  throw invalid('metadata must be a JSON object.')
}

function parseMember(name: string, type: MemberType, value: unknown): unknown {
  if (typeof type === 'object') {
    const id = isObject(value) ? value.sourcedId : undefined
    if (isSourcedId(id)) return id
    throw invalid(`${name} must be an object with the sourcedId of what it refers to.`)
  }
  switch (type) {
    case 'text':
      if (typeof value === 'string' && value.length <= maxText && !hasNul(value)) return value
      throw invalid(`${name} must be a text of at most ${maxText} characters.`)
    case 'number':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      if (typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value)
      throw invalid(`${name} must be a number.`)
    case 'moment': {
      const stamp = typeof value === 'string' ? (parseStamp(value) ?? parseStamp(`${value}Z`)) : null
      if (stamp !== null) return stamp
      throw invalid(`${name} must be a time such as 2026-09-01T00:00:00.000Z.`)
    }
    case 'day': {
      if (typeof value === 'string' && isCalendarDate(value)) return value
      const stamp = typeof value === 'string' ? (parseStamp(value) ?? parseStamp(`${value}Z`)) : null
      if (stamp !== null) return (value as string).slice(0, 10)
      throw invalid(`${name} must be a date such as 2026-09-01.`)
    }
    case 'flag':
      if (['true', 'false'].includes(String(value))) return String(value)
      throw invalid(`${name} must be "true" or "false".`)
    case 'status':
      if ((scoreStatuses as readonly unknown[]).includes(value)) return value
      throw invalid(`${name} must be one of ${scoreStatuses.join(', ')}.`)
    case 'objectives':
      if (Array.isArray(value) && value.every(isObject) && !hasNul(value)) return value
      throw invalid(`${name} must be a list of objects.`)
    case 'scaleValues':
      if (Array.isArray(value) && value.every(isScaleValue) && !hasNul(value)) {
        return value.map(({ itemValueLHS, itemValueRHS }) => ({ itemValueLHS, itemValueRHS }))
      }
      throw invalid(`${name} must be a list of objects with itemValueLHS and itemValueRHS.`)
  }
}

function isScaleValue(value: unknown): value is { itemValueLHS: string; itemValueRHS: string } {
  return (
    isObject(value) && [value.itemValueLHS, value.itemValueRHS].every((each) => typeof each === 'string' && each !== '')
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What PostgreSQL keeps in no text: NUL, and halves of characters. */
const hasNul = (value: unknown) => /\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value))
