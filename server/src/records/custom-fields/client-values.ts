import type { Fault, Json, JsonObject } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { parseStamp } from '../../http/formats.ts'
import type { Tenant } from '../../platform/credentials.ts'
import type { CustomField } from '../../platform/custom-fields/index.ts'
import { mergePatch, sameJson } from '../../platform/json.ts'
import { takeTurn } from '../../platform/locks.ts'
import { validationProblem } from '../../platform/problem.ts'
import { isCalendarDate, isNumber } from '../field-values.ts'
import { longestOf } from '../record-checks.ts'
import { instantIn, momentIn } from '../tenant-clock.ts'

/** Custom fields by the type of records, as a request knows them; a tenant without any takes what an integrator likes. */
type Fields = Pick<Tenant, 'timeZone'> & Partial<Pick<Tenant, 'customFields'>>

/** The record that `customFields` of a body are for. */
export interface CustomFieldsPlace {
  /** The type by which the fields are defined. */
  readonly recordType: string
  /** Whether integrators keep members of their own there as long as the institution has defined none. */
  readonly isFree: boolean
  /** What is stored; empty for a new record. */
  readonly before: JsonObject
}

/**
 * The custom fields of a record after a change: what the body does not name stays, null clears. Members that are not defined
 * stay, too, and may be sent back as they are or cleared.
 *
 * @throws Problem `validation_failed` with every fault below `#/customFields`: an unknown field, or a value that a field cannot
 * have.
 */
export async function takenCustomFields(
  tx: Transaction,
  tenant: Fields,
  { recordType, isFree, before }: CustomFieldsPlace,
  sent: JsonObject | undefined,
): Promise<JsonObject> {
  if (sent === undefined) return before
  const fields = tenant.customFields?.get(recordType) ?? []
  if (fields.length === 0 && isFree) return mergePatch(before, sent)
  const after = new Map(Object.entries(before))
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(sent)) {
    const field = fields.find((each) => each.name === name)
    const stored = after.get(name)
    if (field === undefined) {
      const isStored = stored !== undefined && sameJson(mergePatch({ kept: stored }, { kept: value }), { kept: stored })
      if (stored !== undefined && value === null) after.delete(name)
      else if (!isStored) faults.push(unknownField(name, fields))
      continue
    }
    if (sameJson(value, shownValue(field, stored, tenant.timeZone))) continue
    const taken = value === null ? emptyValue(field) : takenValue(field, value, tenant.timeZone)
    const fault =
      typeof taken === 'object' && taken !== null
        ? taken
        : taken === null
          ? null
          : ((await linkFault(tx, field, taken)) ?? (await uniquenessFault(tx, field, taken)))
    if (fault !== null) faults.push({ in: 'body', pointer: pointerOf(name), ...fault })
    else if (taken === null) after.delete(name)
    else after.set(name, taken as Json)
  }
  if (faults.length > 0) throw validationProblem(faults)
  return Object.fromEntries(after)
}

/** The custom fields of a record as the Client API shows them: every defined one, and what is stored beside them. */
export function shownCustomFields(fields: readonly CustomField[], stored: JsonObject, timeZone: string): JsonObject {
  const shown = new Map(Object.entries(stored))
  for (const field of fields) shown.set(field.name, shownValue(field, shown.get(field.name), timeZone))
  return Object.fromEntries(shown)
}

/** What is stored for answers of a form under the names of custom fields: those that a field could not have stay with the form. */
export function customFieldsOfAnswers(
  fields: readonly CustomField[],
  answers: Readonly<Record<string, Json>>,
  timeZone: string,
): JsonObject {
  if (fields.length === 0) return { ...answers }
  const kept = Object.entries(answers).flatMap(([name, answer]): [string, Json][] => {
    const field = fields.find((each) => each.name === name)
    const value = field === undefined ? null : takenValue(field, ofKind(field, answer), timeZone)
    return value === null || typeof value === 'object' ? [] : [[name, value]]
  })
  return Object.fromEntries(kept)
}

type Refusal = Pick<Fault, 'code' | 'detail'>

/** What a form answers as text or yes and no where a field has a number. */
function ofKind({ fieldType }: CustomField, answer: Json): Json {
  const isNumeric = isNumber({ type: fieldType, label: '' } as never) && fieldType !== 'Check'
  return isNumeric && typeof answer === 'string' && answer.trim() !== '' ? Number(answer) : answer
}

function pointerOf(name: string): string {
  return `#/customFields/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function unknownField(name: string, fields: readonly CustomField[]): Fault {
  const names = fields.map((field) => field.name).join(', ')
  const detail =
    fields.length === 0
      ? 'is not known: the institution has defined no fields here'
      : `is not known here: there are ${names}`
  return { in: 'body', pointer: pointerOf(name), code: 'unknown_field', detail }
}

/** What a field is that is cleared. */
function emptyValue({ isRequired }: CustomField): null | Refusal {
  return isRequired ? { code: 'not_allowed_null', detail: 'must not be null: the institution requires it' } : null
}

/** A value as it is stored, null for an empty text, or why the field cannot have it. */
function takenValue(field: CustomField, value: Json, timeZone: string): string | number | null | Refusal {
  switch (field.fieldType) {
    case 'Check':
      return typeof value === 'boolean' ? Number(value) : wrongType('boolean')
    case 'Int':
      return Number.isInteger(value) ? bounded(value as number, -2_147_483_648, 2_147_483_647) : wrongType('integer')
    case 'Float':
    case 'Currency':
    case 'Percent':
      return typeof value === 'number' ? bounded(value, -1e15, 1e15) : wrongType('number')
    case 'Duration':
      return typeof value === 'number' ? bounded(value, 0, 1e15) : wrongType('number')
  }
  if (typeof value !== 'string') return wrongType('string')
  if (value === '') return null
  switch (field.fieldType) {
    case 'Date':
      return isCalendarDate(value) ? value : wrongFormat('a calendar date, YYYY-MM-DD')
    case 'Time':
      return timeOf(value) ?? wrongFormat('a time of day, HH:MM:SS')
    case 'Datetime': {
      const stamp = value.length <= 64 && value.length > 10 ? parseStamp(value) : null
      if (stamp === null) return wrongFormat('a date-time of RFC 3339 with Z or an offset')
      return momentIn(timeZone, new Date(stamp))
    }
    case 'Select': {
      if (field.options.includes(value)) return value
      const options = field.options.filter((option) => option !== '')
      return { code: 'not_in_enum', detail: `must be one of ${options.join(', ')}` }
    }
    default: {
      const most = longestOf({ type: field.fieldType, label: field.label } as never)
      return [...value].length <= most ? value : { code: 'too_long', detail: `must have at most ${most} characters` }
    }
  }
}

function wrongType(type: string): Refusal {
  return { code: 'wrong_type', detail: `must be of type ${type}` }
}

function wrongFormat(form: string): Refusal {
  return { code: 'format', detail: `must be ${form}` }
}

function bounded(value: number, least: number, most: number): number | Refusal {
  if (value > most) return { code: 'too_large', detail: `must be at most ${most}` }
  return value < least ? { code: 'too_small', detail: `must be at least ${least}` } : value
}

function timeOf(text: string): string | null {
  const [, time, fraction = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (time === undefined) return null
  const whole = time.length === 5 ? `${time}:00` : time
  return Number(fraction) === 0 ? whole : `${whole}.${fraction.padEnd(6, '0')}`
}

/** A value as the Client API shows it; what is stored of another type counts as not set. */
function shownValue({ fieldType }: CustomField, stored: Json | undefined, timeZone: string): Json {
  if (fieldType === 'Check') return stored === 1
  const type = ['Int', 'Float', 'Currency', 'Percent', 'Duration'].includes(fieldType) ? 'number' : 'string'
  if (stored === undefined || typeof stored !== type) return null
  return fieldType === 'Datetime' ? instantIn(timeZone, stored as string) : stored
}

async function linkFault(tx: Transaction, { target }: CustomField, value: unknown): Promise<Refusal | null> {
  if (target === null) return null
  const [found] = await tx.query(sql`
    select 1 as found from ${identifier(target.relation)} r where r.tenant_id = ${tx.tenantId} and r.name = ${value} limit 1`)
  return found === undefined ? { code: 'not_in_enum', detail: `must be the name of a ${target.type}` } : null
}

/** Of a value that the record does not have yet: that of another one. */
async function uniquenessFault(
  tx: Transaction,
  { id, isUnique }: CustomField,
  value: unknown,
): Promise<Refusal | null> {
  if (!isUnique) return null
  await takeTurn(tx, `custom field ${id} ${value}`)
  const held = typeof value === 'number' ? sql`v.number_value = ${value}` : sql`v.text_value = ${value}`
  const [found] = await tx.query(sql`
    select 1 as found from custom_field_values v
     where v.tenant_id = ${tx.tenantId} and v.field_id = ${id} and ${held} limit 1`)
  return found === undefined ? null : { code: 'inconsistent', detail: 'must be unique, and another record has it' }
}
