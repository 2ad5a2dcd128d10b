import {
  customField,
  customFieldName,
  isTakenFieldName,
  mostCustomFields,
  paymentRecords,
  type RecordType,
} from '@matricula/contract/record-types'
import { lockTenantExclusive } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { getOptions } from '../../tenancy/custom-fields/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import { isMissing, readNumber, takenValue } from '../model/field-values.ts'
import { defineRecord, type Rule } from '../model/record-definition.ts'
import type { RecordOf } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { isBeingCleared, recordRemoved } from './removed-fields.ts'
import { isNumeric } from './stored-custom-fields.ts'
import { countValues, indexValues, requireFitting } from './values-of-field.ts'

type CustomFieldRecord = RecordOf<typeof customField>
type FieldRule = Rule<typeof customField>

const maxOptions = 500

/** A field without a name is named after its label, as upstream names it. */
function nameIt(field: CustomFieldRecord): void {
  if (isMissing(field.fieldname)) {
    const parts = (field.label ?? '').toLowerCase().split(/[^a-z0-9]+/)
    field.fieldname = ['custom', ...parts.filter((word) => word !== '')].join('_').slice(0, 64)
  }
  if (isMissing(field.label)) field.label = field.fieldname
}

/** Rejects a field whose name is taken or invalid, or whose type takes no custom fields. */
const requireValidName: FieldRule = async (field, work, before) => {
  const { dt, fieldname } = named(field)
  const location = getLocation(work, dt)
  if (before !== null) return
  if (!customFieldName.test(fieldname)) {
    throw invalid(
      `${shown(fieldname)} cannot name a field: small letters, digits and _, a letter first, at most 64 characters.`,
    )
  }
  const columns = await work.tx.query<{ name: string }>(sql`
    select attname::text as name from pg_attribute
     where attrelid = any(${[location.table, location.relation]}::text[]::regclass[]) and attnum > 0`)
  if (isTakenFieldName(fieldname, location.type?.fields ?? {}) || columns.some(({ name }) => name === fieldname)) {
    throw invalid(`${fieldname} means something else in ${dt} already. Choose another name.`)
  }
  if (await isBeingCleared(work, dt, fieldname)) {
    throw invalid(
      `${fieldname} was deleted from ${dt}, and is being taken out of the records. Try again in some minutes, or choose another name.`,
    )
  }
  const [counted] = await work.tx.query<{ count: number }>(
    sql`select count(*) from custom_fields where tenant_id = ${work.tx.tenantId} and dt = ${dt}`,
  )
  if ((counted?.count ?? 0) < mostCustomFields) return
  throw invalid(`${dt} has ${mostCustomFields} custom fields, and no more are possible. Delete one that nobody needs.`)
}

/** Validates options, default and uniqueness against the field's type. */
const requireMeaning: FieldRule = (field, work) => {
  const { fieldname, label, fieldtype } = named(field)
  if (fieldtype !== 'Select') field.options = (field.options ?? '').trim() || null
  if (fieldtype === 'Select') {
    const options = getOptions(field.options)
    if (options.every((option) => option === '')) throw invalid(`${label}: a Select needs its options, one a line.`)
    if (options.length > maxOptions || options.some((option) => option.length > 140)) {
      throw invalid(`${label}: a Select has at most ${maxOptions} options of at most 140 characters each.`)
    }
    const named = options.filter((option) => option !== '')
    if (new Set(named).size < named.length) throw invalid(`${label}: an option is there twice. Remove one.`)
    field.options = options.join('\n')
  }
  const target = fieldtype === 'Link' ? work.findRecordLocation(field.options ?? '') : null
  if (fieldtype === 'Link' && (target === null || target.type.kind === 'single')) {
    throw invalid(
      `${label}: a Link names records of a type. ${shown(field.options ?? '')} is no type that can be linked.`,
    )
  }
  if (field.unique === 1 && !['Data', 'Link', 'Int'].includes(fieldtype)) {
    throw invalid(`${label}: only Data, Link and Int can be unique.`)
  }
  const standsForSomething = ['Today', 'Now', '__user'].includes(field.default ?? '')
  if (isMissing(field.default)) field.default = null
  else if (!standsForSomething) {
    const declared =
      fieldtype === 'Select' || fieldtype === 'Link'
        ? ({ type: 'Data', label, maxLength: 140 } as const)
        : ({ type: fieldtype, label } as const)
    takenValue(fieldname, declared, field.default)
    const isOption = fieldtype !== 'Select' || getOptions(field.options).includes(field.default ?? '')
    const isSound = !isNumeric({ type: fieldtype }) || readNumber(label, field.default) !== null
    if (!isOption || !isSound) {
      throw invalid(`${label}: ${shown(field.default ?? '')} is no value that the field can have by default.`)
    }
  }
}

/** Types that are stored alike, between which a field may change when its values fit. */
const kindred = [
  ['Data', 'Small Text', 'Text', 'Select'],
  ['Float', 'Currency', 'Percent'],
  ['Int', 'Float', 'Currency', 'Percent'],
  ['Check', 'Int'],
]

/** Rejects a change of type, options or uniqueness that stored values do not fit. */
const requireSameKind: FieldRule = async (field, work, before) => {
  if (before === null) return
  const { label, fieldtype } = named(field)
  const became = `${before.fieldtype} ${fieldtype}`
  const isChanged = fieldtype !== before.fieldtype || (fieldtype === 'Link' && field.options !== before.options)
  const mayBecome = kindred.some((kinds) => kinds.includes(before.fieldtype ?? '') && kinds.includes(fieldtype))
  const isNarrower = ['Int Check', 'Float Int', 'Currency Int', 'Percent Int'].includes(became)
  if (isChanged && (!mayBecome || isNarrower)) {
    const count = await countValues(work, before)
    if (count > 0) {
      throw invalid(
        `${label} cannot become ${fieldtype}${fieldtype === 'Link' ? ` to ${field.options}` : ''} while ${count} records have a value in it. Add another field, or clear it in these first.`,
      )
    }
  }
  const isFitting = isChanged || field.options !== before.options || field.unique !== before.unique
  if (isFitting) await requireFitting(work, field, getLocation(work, named(field).dt))
}

/** Exclusive advisory lock of the tenant, so that nobody stores a value meanwhile. */
const lockTenant: FieldRule = async (_field, work) => lockTenantExclusive(work.tx)

/** Binds the field to its tables, and validates and indexes values that records have under its name already. */
const bindAndIndex: FieldRule = async (field, work, before) => {
  const { dt, name } = named(field)
  const location = getLocation(work, dt)
  const target = field.fieldtype === 'Link' ? work.findRecordLocation(field.options ?? '') : null
  await work.tx.query(sql`
    update custom_fields set record_table = ${location.table}, target_relation = ${target?.relation ?? null}
     where tenant_id = ${work.tx.tenantId} and name = ${name}`)
  if (before !== null) return
  await requireFitting(work, field, location)
  await indexValues(work, field, location)
}

/** Hides the field's values at once; a job clears them from the records. */
const remove: FieldRule = async (field, work) => {
  await lockTenantExclusive(work.tx)
  const count = await countValues(work, field)
  await recordRemoved(work, field, getLocation(work, named(field).dt))
  if (count === 0) return
  const message = `${count} records had a value in ${field.label}; these values are gone with it.`
  work.messages.push({ message, title: 'Values deleted', indicator: 'orange' })
}

/** The tables of the records that have a field. */
export interface FieldLocation {
  readonly table: string
  readonly relation: string
  /** Null for payments, which are no record type. */
  readonly type: RecordType | null
}

function getLocation(work: RecordWork, dt: string): FieldLocation {
  if (dt === paymentRecords) return { table: 'payments', relation: 'payments', type: null }
  const location = work.findRecordLocation(dt)
  if (location?.takesCustomFields === true) return location
  throw invalid(
    `${shown(dt)} takes no custom fields: name a type whose records the institution writes, or ${paymentRecords}.`,
  )
}

/** A field with its required parts, which the engine validates later, as non-null. */
function named({ dt, fieldname, label, fieldtype, name }: CustomFieldRecord) {
  const kind = customField.fields.fieldtype.options.find((option) => option === fieldtype)
  if (kind === undefined) {
    throw invalid(
      `${shown(fieldtype ?? '')} is no type of custom fields. There are ${customField.fields.fieldtype.options.join(', ')}.`,
    )
  }
  return { dt: dt ?? '', fieldname: fieldname ?? '', label: label ?? '', fieldtype: kind, name }
}

function invalid(text: string): RecordError {
  return new RecordError('ValidationError', text)
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 140))
}

/** The fields that institutions add to types of records. */
export const customFieldRecord = defineRecord(customField, {
  rules: {
    name: ({ dt, fieldname, label }) => {
      const field = { dt, fieldname, label } as CustomFieldRecord
      nameIt(field)
      return `${dt}-${field.fieldname}`
    },
    validate: [lockTenant, nameIt, requireValidName, requireMeaning, requireSameKind],
    afterSave: [bindAndIndex],
    beforeDelete: [remove],
  },
})
