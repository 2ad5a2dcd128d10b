import {
  type ApplicationTarget,
  applicationTargets,
  contactTargets,
  customFieldTarget,
  type FormCondition,
  type FormFieldType,
  type FormValidation,
  formBounds,
  type Static,
} from '@matricula/contract'
import { findConditionFields } from '../form-conditions.ts'
import { type TemplateSettings, targetLengths } from '../form-definition.ts'
import { maxAnswerLength } from '../submissions/single-answer.ts'
import { findPatternError } from './answer-pattern.ts'

/** An error of a template, with its path: member names and indexes, from the template on. */
export interface TemplateError {
  readonly path: readonly (string | number)[]
  readonly detail: string
}

type Field = TemplateSettings['fields'][number]
type Bound = keyof Static<typeof FormValidation>

const lengths: readonly Bound[] = ['minLength', 'maxLength', 'pattern']
const counts: readonly Bound[] = ['minItems', 'maxItems']

/** The validation rules that a question of a type can have. */
const boundsByType: Readonly<Record<FormFieldType, readonly Bound[]>> = {
  text: lengths,
  textarea: lengths,
  email: ['minLength', 'maxLength', 'pattern'],
  phone: ['minLength', 'maxLength', 'pattern'],
  signature: ['minLength', 'maxLength'],
  number: ['min', 'max'],
  date: ['minDate', 'maxDate'],
  select: [],
  multiselect: counts,
  checkbox: [],
  file: [...counts, 'mediaTypes', 'maxSizeBytes', 'documentTypeKey'],
}

/** Every error of a template whose members have the right types; empty for a valid one. */
export function templateErrors(settings: TemplateSettings): TemplateError[] {
  return [
    ...findRepeatedKeys(settings.sections, 'sections'),
    ...findRepeatedKeys(settings.fields, 'fields'),
    ...settings.fields.flatMap((field, index) =>
      fieldErrors(settings, field, index).map(({ path, detail }) => ({ path: ['fields', index, ...path], detail })),
    ),
    ...mappingErrors(settings),
  ]
}

function findRepeatedKeys(entries: readonly { readonly key: string }[], list: string): TemplateError[] {
  return entries.flatMap(({ key }, index) =>
    entries.findIndex((entry) => entry.key === key) === index
      ? []
      : [{ path: [list, index, 'key'], detail: `${key} is used twice; every key must be unique` }],
  )
}

function fieldErrors(settings: TemplateSettings, field: Field, index: number): TemplateError[] {
  const earlier = new Map(settings.fields.slice(0, index).map((one) => [one.key, one]))
  return [
    ...sectionErrors(settings, field),
    ...optionErrors(field),
    ...validationErrors(field),
    ...conditionErrors(field.visibleWhen, earlier, ['visibleWhen']),
  ]
}

function sectionErrors({ sections }: TemplateSettings, { section }: Field): TemplateError[] {
  if (section === '' || sections.some(({ key }) => key === section)) return []
  const known = sections.map(({ key }) => key).join(', ') || 'none'
  return [{ path: ['section'], detail: `${section} is not a section of this form; its sections: ${known}` }]
}

function optionErrors({ type, options }: Field): TemplateError[] {
  const takesOptions = type === 'select' || type === 'multiselect'
  if (takesOptions && options.length === 0) return [{ path: ['options'], detail: `a ${type} needs options` }]
  if (!takesOptions && options.length > 0) return [{ path: ['options'], detail: `a ${type} has no options` }]
  return options.flatMap(({ value }, index) =>
    options.findIndex((one) => one.value === value) === index
      ? []
      : [{ path: ['options', index, 'value'], detail: `${value} is used twice` }],
  )
}

function validationErrors(field: Field): TemplateError[] {
  const { type, validation } = field
  const taken = boundsByType[type]
  const errors: TemplateError[] = Object.keys(validation)
    .filter((bound) => !taken.includes(bound as Bound))
    .map((bound) => {
      const takes = taken.length === 0 ? 'nothing' : taken.join(', ')
      return { path: ['validation', bound], detail: `is not allowed for a ${type}, which takes ${takes}` }
    })
  const { minLength, maxLength, minDate, maxDate, minItems, maxItems, pattern } = validation
  const pairs = [
    ['minLength', minLength, maxLength],
    ['min', validation.min, validation.max],
    ['minDate', minDate, maxDate],
    ['minItems', minItems, maxItems],
  ] as const
  for (const [bound, min, max] of pairs) {
    if (min !== undefined && max !== undefined && min > max) {
      errors.push({ path: ['validation', bound], detail: `${min} is more than the maximum, ${max}` })
    }
  }
  if (type === 'file' && maxItems !== undefined && maxItems > formBounds.files) {
    errors.push({ path: ['validation', 'maxItems'], detail: `must be at most ${formBounds.files}` })
  }
  const validationError = pattern === undefined ? null : findPatternError(pattern, maxAnswerLength(field))
  if (validationError !== null) errors.push({ path: ['validation', 'pattern'], detail: validationError })
  return errors
}

const comparisons = ['equals', 'notEquals', 'in', 'isSet'] as const

function conditionErrors(
  condition: FormCondition,
  earlier: ReadonlyMap<string, Field>,
  path: readonly (string | number)[],
): TemplateError[] {
  const kinds = (['field', 'all', 'any'] as const).filter((kind) => condition[kind] !== undefined)
  const compared = comparisons.filter((kind) => condition[kind] !== undefined)
  if (kinds.length !== 1 || compared.length !== (kinds[0] === 'field' ? 1 : 0)) {
    const detail = 'takes field with one of equals, notEquals, in or isSet; or all; or any'
    return [{ path, detail }]
  }
  if (condition.any?.length === 0) return [{ path: [...path, 'any'], detail: 'must contain a condition' }]
  for (const kind of ['all', 'any'] as const) {
    const parts = condition[kind]
    if (parts !== undefined) {
      return parts.flatMap((part, index) => conditionErrors(part, earlier, [...path, kind, index]))
    }
  }
  const field = earlier.get(condition.field ?? '')
  if (field === undefined) {
    return [{ path: [...path, 'field'], detail: `${condition.field} is not the key of an earlier question` }]
  }
  return comparisonErrors(condition, field, path, compared[0] as (typeof comparisons)[number])
}

function comparisonErrors(
  condition: FormCondition,
  field: Field,
  path: readonly (string | number)[],
  kind: (typeof comparisons)[number],
): TemplateError[] {
  if (kind === 'isSet') return []
  const at = [...path, kind]
  if (field.type === 'file') return [{ path: at, detail: `must be isSet: ${field.key} is a file` }]
  const values = kind === 'in' ? (condition.in ?? []) : [condition[kind] ?? '']
  const wanted = field.type === 'number' ? 'number' : field.type === 'checkbox' ? 'boolean' : 'string'
  return values.flatMap((value) => {
    if (typeof value !== wanted) {
      const messages = { number: 'a number', boolean: 'true or false', string: 'a text in quotes' }[wanted]
      return [{ path: at, detail: `${value} is never an answer to ${field.key}, which is ${messages}` }]
    }
    if (field.options.length === 0 || field.options.some((option) => option.value === value)) return []
    const known = field.options.map((option) => option.value).join(', ')
    return [{ path: at, detail: `${value} is not an option of ${field.key}; its options: ${known}` }]
  })
}

const textTypes: readonly FormFieldType[] = ['text', 'textarea', 'select', 'signature']

/** The question types of members that are no plain texts. */
const typesByTarget: Readonly<Record<string, readonly FormFieldType[]>> = {
  email: ['email'],
  phone: ['phone'],
  dateOfBirth: ['date'],
}

function mappingErrors({ entityType, fields, mapping }: TemplateSettings): TemplateError[] {
  const entries = Object.entries(mapping)
  if (entityType !== 'application') {
    return entries.length === 0 ? [] : [{ path: ['mapping'], detail: 'is only allowed with entityType application' }]
  }
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const targets = entries.map(([, target]) => target)
  const errors = entries.flatMap(([key, target], index) => {
    const at = (detail: string): TemplateError[] => [{ path: ['mapping', key], detail }]
    const field = byKey.get(key)
    if (field === undefined) return at(`${key} is not a question of this form`)
    if (targets.indexOf(target) !== index) return at(`${target} is already mapped from another question`)
    const detail = targetError(field, target)
    return detail === null ? [] : at(detail)
  })
  const isCertain = (target: string) =>
    entries.some(([key, to]) => {
      const field = byKey.get(key)
      return to === target && field?.isRequired === true && findConditionFields(field.visibleWhen).length === 0
    })
  if (!['fullName', 'givenNames', 'familyNames'].some(isCertain)) {
    const detail =
      'an application needs a name: map a required question that is always visible to fullName, givenNames or familyNames'
    errors.push({ path: ['mapping'], detail })
  }
  return errors
}

/** Why an answer cannot be mapped to this member of an application, or null. */
function targetError(field: Field, target: string): string | null {
  if (customFieldTarget.test(target))
    return field.type === 'file' ? 'a file cannot be a custom field; it becomes a document' : null
  const targets: readonly string[] = [...applicationTargets, ...contactTargets]
  if (!targets.includes(target))
    return `${target} is not a member of an application; members: ${targets.join(', ')}, customFields.…`
  const name = target.replace('contact.', '')
  const types = typesByTarget[name] ?? textTypes
  if (!types.includes(field.type)) return `${target} takes a question of type ${types.join(', ')}`
  if (name === 'dateOfBirth') return null
  const maxLength = targetLengths[name as ApplicationTarget] ?? (name === 'relationshipLabel' ? 120 : 255)
  const lengths =
    field.type === 'select' ? field.options.map(({ value }) => [...value].length) : [maxAnswerLength(field)]
  if (Math.max(...lengths) <= maxLength) return null
  return `${target} has at most ${maxLength} characters; set validation.maxLength of ${field.key} to that`
}
