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
import { getFields } from '../form-conditions.ts'
import { type TemplateSettings, targetLengths } from '../form-definition.ts'
import { longestAnswer } from '../submissions/single-answer.ts'
import { patternError } from './answer-pattern.ts'

/** What is wrong with a template, and where: names and places of members, from the template on. */
export interface TemplateError {
  readonly path: readonly (string | number)[]
  readonly detail: string
}

type Field = TemplateSettings['fields'][number]
type Bound = keyof Static<typeof FormValidation>

const lengths: readonly Bound[] = ['minLength', 'maxLength', 'pattern']
const counts: readonly Bound[] = ['minItems', 'maxItems']

/** The bounds that a question of a type can have. */
const boundsOf: Readonly<Record<FormFieldType, readonly Bound[]>> = {
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

/** Everything that is wrong with a template whose members have the right types; empty when it can be put to people. */
export function templateErrors(settings: TemplateSettings): TemplateError[] {
  return [
    ...repeated(settings.sections, 'sections'),
    ...repeated(settings.fields, 'fields'),
    ...settings.fields.flatMap((field, index) =>
      fieldErrors(settings, field, index).map(({ path, detail }) => ({ path: ['fields', index, ...path], detail })),
    ),
    ...mappingErrors(settings),
  ]
}

function repeated(entries: readonly { readonly key: string }[], list: string): TemplateError[] {
  return entries.flatMap(({ key }, index) =>
    entries.findIndex((entry) => entry.key === key) === index
      ? []
      : [{ path: [list, index, 'key'], detail: `${key} stands there twice; every key must be its own` }],
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
  return [{ path: ['section'], detail: `${section} is no section of this form; its sections: ${known}` }]
}

function optionErrors({ type, options }: Field): TemplateError[] {
  const takesOptions = type === 'select' || type === 'multiselect'
  if (takesOptions && options.length === 0) return [{ path: ['options'], detail: `a ${type} needs options` }]
  if (!takesOptions && options.length > 0) return [{ path: ['options'], detail: `a ${type} has no options` }]
  return options.flatMap(({ value }, index) =>
    options.findIndex((one) => one.value === value) === index
      ? []
      : [{ path: ['options', index, 'value'], detail: `${value} stands there twice` }],
  )
}

function validationErrors(field: Field): TemplateError[] {
  const { type, validation } = field
  const taken = boundsOf[type]
  const faults: TemplateError[] = Object.keys(validation)
    .filter((bound) => !taken.includes(bound as Bound))
    .map((bound) => {
      const takes = taken.length === 0 ? 'nothing' : taken.join(', ')
      return { path: ['validation', bound], detail: `does not go with a ${type}, which takes ${takes}` }
    })
  const { minLength, maxLength, min, max, minDate, maxDate, minItems, maxItems, pattern } = validation
  const pairs = [
    ['minLength', minLength, maxLength],
    ['min', min, max],
    ['minDate', minDate, maxDate],
    ['minItems', minItems, maxItems],
  ] as const
  for (const [bound, least, most] of pairs) {
    if (least !== undefined && most !== undefined && least > most) {
      faults.push({ path: ['validation', bound], detail: `${least} is more than the largest that is taken, ${most}` })
    }
  }
  if (type === 'file' && maxItems !== undefined && maxItems > formBounds.files) {
    faults.push({ path: ['validation', 'maxItems'], detail: `at most ${formBounds.files} files go with a question` })
  }
  const validationError = pattern === undefined ? null : patternError(pattern, longestAnswer(field))
  if (validationError !== null) faults.push({ path: ['validation', 'pattern'], detail: validationError })
  return faults
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
  if (condition.any?.length === 0) return [{ path: [...path, 'any'], detail: 'never holds without a condition in it' }]
  for (const kind of ['all', 'any'] as const) {
    const parts = condition[kind]
    if (parts !== undefined) {
      return parts.flatMap((part, index) => conditionErrors(part, earlier, [...path, kind, index]))
    }
  }
  const field = earlier.get(condition.field ?? '')
  if (field === undefined) {
    return [{ path: [...path, 'field'], detail: `${condition.field} is no question before this one` }]
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
  if (field.type === 'file') return [{ path: at, detail: `of the file ${field.key} only isSet can be asked` }]
  const values = kind === 'in' ? (condition.in ?? []) : [condition[kind] ?? '']
  const wanted = field.type === 'number' ? 'number' : field.type === 'checkbox' ? 'boolean' : 'string'
  return values.flatMap((value) => {
    if (typeof value !== wanted) {
      const messages = { number: 'a number', boolean: 'true or false', string: 'a text in quotes' }[wanted]
      return [{ path: at, detail: `${value} is never an answer to ${field.key}, which is ${messages}` }]
    }
    if (field.options.length === 0 || field.options.some((option) => option.value === value)) return []
    const known = field.options.map((option) => option.value).join(', ')
    return [{ path: at, detail: `${value} is no option of ${field.key}; its options: ${known}` }]
  })
}

const textTypes: readonly FormFieldType[] = ['text', 'textarea', 'select', 'signature']

function mappingErrors({ entityType, fields, mapping }: TemplateSettings): TemplateError[] {
  const entries = Object.entries(mapping)
  if (entityType !== 'application') {
    return entries.length === 0
      ? []
      : [{ path: ['mapping'], detail: 'goes with entityType application only: nothing else is made from answers' }]
  }
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const targets = entries.map(([, target]) => target)
  const validationErrors = entries.flatMap(([key, target], index) => {
    const at = (detail: string): TemplateError[] => [{ path: ['mapping', key], detail }]
    const field = byKey.get(key)
    if (field === undefined) return at(`${key} is no question of this form`)
    if (targets.indexOf(target) !== index) return at(`${target} is filled by another question already`)
    const detail = targetError(field, target)
    return detail === null ? [] : at(detail)
  })
  const isCertain = (target: string) =>
    entries.some(([key, to]) => {
      const field = byKey.get(key)
      return to === target && field?.isRequired === true && getFields(field.visibleWhen).length === 0
    })
  if (!['fullName', 'givenNames', 'familyNames'].some(isCertain)) {
    const detail =
      'an application needs a name: map a required question that is always put to fullName, givenNames or familyNames'
    validationErrors.push({ path: ['mapping'], detail })
  }
  return validationErrors
}

/** Why an answer cannot become this field of an application. */
function targetError(field: Field, target: string): string | null {
  if (customFieldTarget.test(target))
    return field.type === 'file' ? 'a file cannot be a field; it becomes a document' : null
  const targets: readonly string[] = [...applicationTargets, ...contactTargets]
  if (!targets.includes(target)) return `${target} is no field of an application: ${targets.join(', ')}, customFields.…`
  const name = target.replace('contact.', '')
  const taken = name === 'email' ? ['email'] : name === 'phone' ? ['phone'] : textTypes
  if (!taken.includes(field.type)) return `${target} takes a question of type ${taken.join(', ')}`
  const longest = targetLengths[name as ApplicationTarget] ?? (name === 'relationshipLabel' ? 120 : 255)
  const answers = field.type === 'select' ? field.options.map(({ value }) => [...value].length) : [longestAnswer(field)]
  if (Math.max(...answers) <= longest) return null
  return `${target} has at most ${longest} characters; set validation.maxLength of ${field.key} to that`
}
