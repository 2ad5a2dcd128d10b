import { type Fault, type Json, type JsonObject, maximumFaults } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { validationProblem } from '../../errors/index.ts'
import { isCalendarDate, parseStamp } from '../../http/index.ts'
import { type AddedFields, addedTo, type CustomField } from '../../tenancy/custom-fields/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { mergeFreeObject, mergePatch, sameJson } from '../../values/index.ts'
import { getMaxLength } from '../lifecycle/record-checks.ts'
import { instantIn, momentIn } from '../model/tenant-clock.ts'
import { isNumeric, typeOfStored } from './stored-custom-fields.ts'
import { loadHolders } from './unique-values.ts'

/** The custom fields of a tenant by record type, as the request has them. */
type Fields = Pick<Tenant, 'timeZone' | 'customFields'>

/** The record that `customFields` of a request body belong to. */
export interface CustomFieldsContext {
  /** The type by which the fields are defined. */
  readonly recordType: string
  /** Whether any member is allowed as long as the institution has defined no field. */
  readonly isFree: boolean
  /** What is stored; empty for a new record. */
  readonly before: JsonObject
}

/**
 * The custom fields of a record after a merge patch (RFC 7396). Stored members that are not defined stay, and may be
 * sent back unchanged or cleared.
 *
 * @throws Problem `validation_failed` with every error below `#/customFields`: an unknown field, or a value that a
 * field cannot have.
 */
export async function takenCustomFields(
  tx: Transaction,
  { customFields, timeZone }: Fields,
  { recordType, isFree, before }: CustomFieldsContext,
  sent: JsonObject | undefined,
): Promise<JsonObject> {
  if (sent === undefined) return before
  const { defined: fields, removed } = addedTo(customFields, recordType)
  if (fields.length === 0 && removed.size === 0 && isFree) return mergeFreeObject('customFields', before, sent)
  const known = byName(fields)
  const after = new Map(Object.entries(before))
  const validationErrors: Fault[] = []
  let found = 0
  const refuse = (name: string, buildError: () => FieldError) => {
    found += 1
    if (validationErrors.length < maximumFaults)
      validationErrors.push({ in: 'body', pointer: getPointer(name), ...buildError() })
  }
  for (const [name, value] of Object.entries(sent)) {
    const field = known.get(name)
    const stored = after.get(name)
    if (field === undefined) {
      const isStored = stored !== undefined && sameJson(mergePatch({ kept: stored }, { kept: value }), { kept: stored })
      if (stored !== undefined && value === null) after.delete(name)
      else if (!isStored) refuse(name, () => unknownField(fields))
      continue
    }
    if (sameJson(value, shownValue(field, stored, timeZone))) continue
    const taken = value === null ? emptyValue(field) : await fittingValue(tx, field, value, timeZone)
    if (isFieldError(taken)) refuse(name, () => taken)
    else if (taken === null) after.delete(name)
    else after.set(name, taken)
  }
  if (found > 0) throw validationProblem(validationErrors, found)
  return Object.fromEntries(after)
}

/**
 * The custom fields of a record in the Client API: every defined one, and stored members that are neither defined nor
 * removed.
 */
export function shownCustomFields({ defined, removed }: AddedFields, stored: JsonObject, timeZone: string): JsonObject {
  const shown = new Map(Object.entries(stored).filter(([name]) => !removed.has(name)))
  for (const field of defined) shown.set(field.name, shownValue(field, shown.get(field.name), timeZone))
  return Object.fromEntries(shown)
}

/**
 * The answers of a form that are valid values of custom fields of the same names. The others stay in the form only: who
 * fills it in can change neither a definition nor another record.
 */
export async function loadCustomFieldsOfAnswers(
  tx: Transaction,
  { customFields, timeZone }: Fields,
  recordType: string,
  answers: Readonly<JsonObject>,
): Promise<JsonObject> {
  const { defined, removed } = addedTo(customFields, recordType)
  if (defined.length === 0 && removed.size === 0) return { ...answers }
  const known = byName(defined)
  const stored: [string, Json][] = []
  for (const [name, response] of Object.entries(answers)) {
    const field = known.get(name)
    if (field === undefined) continue
    const value = ofKind(field, response)
    if (!isFieldError(await fittingValue(tx, field, value, timeZone))) stored.push([name, value])
  }
  return Object.fromEntries(stored)
}

const byName = (fields: readonly CustomField[]) => new Map(fields.map((field) => [field.name, field]))

type FieldError = Pick<Fault, 'code' | 'detail'>

/** A value as it is stored; null for an empty text. */
type Taken = string | number | null

const isFieldError = (taken: Taken | FieldError): taken is FieldError => typeof taken === 'object' && taken !== null

/** An answer as the field's type: forms send numbers as text. */
function ofKind({ fieldType }: CustomField, response: Json): Json {
  const isText = isNumeric({ type: fieldType }) && typeof response === 'string' && response.trim() !== ''
  return isText ? Number(response) : response
}

function getPointer(name: string): string {
  return `#/customFields/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The maximum field names in an error. */
const maxNamed = 10

function unknownField(fields: readonly CustomField[]): FieldError {
  const names = fields.slice(0, maxNamed).map(({ name }) => name)
  const others = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more, which GET /me lists` : ''
  const detail =
    fields.length === 0
      ? 'is not known: the institution has defined no fields here'
      : `is not known here: there are ${names.join(', ')}${others}`
  return { code: 'unknown_field', detail }
}

/** The value of a cleared field. */
function emptyValue({ isRequired }: CustomField): null | FieldError {
  return isRequired ? { code: 'not_allowed_null', detail: 'must not be null: the institution requires it' } : null
}

/** A value as it is stored, or the error of its form, link or uniqueness. */
async function fittingValue(
  tx: Transaction,
  field: CustomField,
  value: Json,
  timeZone: string,
): Promise<Taken | FieldError> {
  const taken = takenValue(field, value, timeZone)
  if (taken === null || isFieldError(taken)) return taken
  return (await linkError(tx, field, taken)) ?? (await uniquenessError(tx, field, taken)) ?? taken
}

/** A value as it is stored, or the error of its form. */
function takenValue(field: CustomField, value: Json, timeZone: string): Taken | FieldError {
  switch (field.fieldType) {
    case 'Check':
      return typeof value === 'boolean' ? Number(value) : wrongType('boolean')
    case 'Int':
      return Number.isInteger(value) ? bounded(value as number, -2_147_483_648, 2_147_483_647) : wrongType('integer')
    case 'Float':
    case 'Currency':
    case 'Percent':
      return Number.isFinite(value) ? bounded(value as number, -1e15, 1e15) : wrongType('number')
    case 'Duration':
      return Number.isFinite(value) ? bounded(value as number, 0, 1e15) : wrongType('number')
  }
  if (typeof value !== 'string') return wrongType('string')
  if (value === '') return null
  switch (field.fieldType) {
    case 'Date':
      return isCalendarDate(value) ? value : wrongFormat('a calendar date, YYYY-MM-DD')
    case 'Time':
      return findTime(value) ?? wrongFormat('a time of day, HH:MM:SS')
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
      const max = getMaxLength({ type: field.fieldType })
      return [...value].length <= max ? value : { code: 'too_long', detail: `must have at most ${max} characters` }
    }
  }
}

function wrongType(type: string): FieldError {
  return { code: 'wrong_type', detail: `must be of type ${type}` }
}

function wrongFormat(form: string): FieldError {
  return { code: 'format', detail: `must be ${form}` }
}

function bounded(value: number, min: number, max: number): number | FieldError {
  if (value > max) return { code: 'too_large', detail: `must be at most ${max}` }
  return value < min ? { code: 'too_small', detail: `must be at least ${min}` } : value
}

function findTime(text: string): string | null {
  const [, time, fraction = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (time === undefined) return null
  const whole = time.length === 5 ? `${time}:00` : time
  return Number(fraction) === 0 ? whole : `${whole}.${fraction.padEnd(6, '0')}`
}

/** A value as the Client API shows it; null for a stored value of another type. */
function shownValue({ fieldType }: CustomField, stored: Json | undefined, timeZone: string): Json {
  if (fieldType === 'Check') return stored === 1
  if (stored === undefined || typeof stored !== typeOfStored({ type: fieldType })) return null
  return fieldType === 'Datetime' ? instantIn(timeZone, stored as string) : stored
}

async function linkError(tx: Transaction, { target }: CustomField, value: unknown): Promise<FieldError | null> {
  if (target === null) return null
  const [found] = await tx.query(sql`
    select 1 as found from ${identifier(target.relation)} r where r.tenant_id = ${tx.tenantId} and r.name = ${value} limit 1`)
  return found === undefined ? { code: 'not_in_enum', detail: `must be the name of a ${target.type}` } : null
}

/** The error of a new value that another record has. */
async function uniquenessError(
  tx: Transaction,
  field: CustomField,
  value: string | number,
): Promise<FieldError | null> {
  if (!field.isUnique || (await loadHolders(tx, field, value)).length === 0) return null
  return { code: 'inconsistent', detail: 'must be unique, and another record has it' }
}
