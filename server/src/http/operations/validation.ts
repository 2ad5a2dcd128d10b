import { toUSVString } from 'node:util'
import {
  type Fault,
  type FaultCode,
  type JsonObject,
  maximumFaults,
  type Operation,
  pathParameters,
  type TSchema,
} from '@matricula/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { closest, distance } from 'fastest-levenshtein'
import { validationProblem } from '../../errors/index.ts'
import { addContractFormats, parseStamp } from './formats.ts'

/** A validated request: writable fields, and apart from them the read-only ones, which are only compared. */
export interface ValidParts {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: Record<string, unknown> | undefined
  readonly readOnlyFields: JsonObject
}

/** The parts of a request as received. */
export interface RawParts {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
}

// The schemas are our own and tested, so they are not validated themselves.
const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateFormats: true, validateSchema: false })
// The size of a free object is checked once it is merged, see `mergeFreeObject`.
ajv.removeKeyword('maxProperties')
addContractFormats(ajv)

const noQuery = { type: 'object', additionalProperties: false } as const

/** A validator compiled on first use: compiling all of them would take much of the start of the service. */
function validatorOnDemand(schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined
  return () => {
    validate ??= ajv.compile(schema)
    return validate
  }
}

/**
 * Builds the validator of an operation: path, query and body at once, every error reported; for a body with lists
 * beyond their bounds, or with more than `maxErrors` unknown fields, only that. Nothing is coerced but integers in
 * the query, nothing is dropped; timestamps come out in the stored form. The validator throws `validation_failed`.
 */
export function getValidator(
  operation: Operation,
  { maxErrors = maximumFaults }: { readonly maxErrors?: number } = {},
): (raw: RawParts) => ValidParts {
  // A path id that is not a UUID names no record, which is a later 404; only an externalId has a format.
  const checkedParams = pathParameters(operation.path).filter(([name]) => name === 'externalId')
  const params = checkedParams.map(([name, schema]) => ({ name, validator: validatorOnDemand(schema) }))
  const queryProperties = (operation.query?.properties ?? {}) as Record<string, SchemaFacts>
  const query = validatorOnDemand(operation.query ?? noQuery)
  const bodyProperties = (operation.body?.properties ?? {}) as Record<string, SchemaFacts>
  const body = operation.body === undefined ? undefined : validatorOnDemand(operation.body)

  return (raw) => {
    const validationErrors: Fault[] = []
    for (const { name, validator } of params) {
      const value = raw.params[name] as string
      collectTextErrors(value, { in: 'path', name }, validationErrors)
      collect(validator(), value, (error) => ({ in: 'path', name, ...explain(error) }), validationErrors)
    }
    const queryValues = readQuery(raw.query, queryProperties, validationErrors)
    collect(
      query(),
      queryValues,
      (error) => ({ in: 'query', name: getName(error), ...explain(error) }),
      validationErrors,
    )
    if (body !== undefined && raw.body !== undefined) {
      const excess = excessErrors(operation.body as SchemaFacts, raw.body, maxErrors)
      if (excess.length > 0) throw validationProblem([...validationErrors, ...excess])
      collectBodyErrors(raw.body, validationErrors)
      collect(
        body(),
        raw.body,
        (error) => ({ in: 'body', pointer: getPointer(error), ...explain(error) }),
        validationErrors,
      )
    }
    if (validationErrors.length > 0) throw validationProblem(withoutRepeats(validationErrors))
    const { body: sent, readOnlyFields } = splitBody(raw.body as JsonObject | undefined, bodyProperties)
    return { params: raw.params, query: withStamps(queryValues, queryProperties), body: sent, readOnlyFields }
  }
}

interface SchemaFacts extends TSchema {
  type?: string | string[]
  format?: string
  readOnly?: boolean
  properties?: Record<string, SchemaFacts>
  additionalProperties?: boolean
  items?: SchemaFacts
  maxItems?: number
  anyOf?: SchemaFacts[]
}

/**
 * Items of a list beyond its bound, or else more unknown fields than are reported: checked first, because a check of
 * the whole schema creates an error for each.
 */
function excessErrors(schema: SchemaFacts, body: unknown, maxErrors: number): Fault[] {
  const unknown: Fault[] = []
  const long: Fault[] = []
  const look = (
    { properties, additionalProperties, items, maxItems, anyOf }: SchemaFacts,
    value: unknown,
    pointer: string,
  ) => {
    if (typeof value !== 'object' || value === null || unknown.length > maxErrors) return
    for (const each of anyOf ?? []) look(each, value, pointer)
    if (Array.isArray(value)) {
      if (maxItems !== undefined && value.length > maxItems) {
        long.push({ in: 'body', pointer, code: 'too_long', detail: `must have at most ${maxItems} items` })
      } else if (items !== undefined) {
        for (const [index, item] of value.entries()) look(items, item, `${pointer}/${index}`)
      }
      return
    }
    if (properties === undefined) return
    for (const name in value) {
      const below = () => `${pointer}/${escapePointer(name)}`
      if (Object.hasOwn(properties, name)) {
        look(properties[name] as SchemaFacts, (value as Record<string, unknown>)[name], below())
      } else if (additionalProperties === false) {
        unknown.push({
          in: 'body',
          pointer: below(),
          code: 'unknown_field',
          detail: `is not known here${nearestName(name, properties)}`,
        })
      }
      if (unknown.length > maxErrors) return
    }
  }
  look(schema, body, '#')
  return long.length > 0 ? long.slice(0, maxErrors) : unknown.length > maxErrors ? unknown : []
}

function collect(
  validate: ValidateFunction,
  value: unknown,
  toError: (error: ErrorObject) => Fault,
  validationErrors: Fault[],
) {
  if (validate(value)) return
  for (const error of validate.errors ?? []) {
    if (validationErrors.length > maximumFaults) return
    validationErrors.push(toError(error))
  }
}

/** Converts integers; a repeated parameter stays a list, which no parameter accepts. */
function readQuery(raw: Record<string, unknown>, properties: Record<string, SchemaFacts>, validationErrors: Fault[]) {
  const values: Record<string, unknown> = Object.create(null) // takes any name, `__proto__` too
  for (const [name, value] of Object.entries(raw)) {
    const isNumber = properties[name]?.type === 'integer'
    values[name] = isNumber && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    if (typeof value === 'string') collectTextErrors(value, { in: 'query', name }, validationErrors)
  }
  return values
}

function withStamps(values: Record<string, unknown>, properties: Record<string, SchemaFacts>): Record<string, unknown> {
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (typeof value === 'string' && properties[name]?.format?.startsWith('date-time')) values[name] = parseStamp(value)
  }
  return values
}

function splitBody(sent: JsonObject | undefined, properties: Record<string, SchemaFacts>) {
  if (sent === undefined) return { body: undefined, readOnlyFields: {} }
  const body: Record<string, unknown> = {}
  const readOnlyFields: JsonObject = {}
  for (const [name, value] of Object.entries(sent)) {
    if (properties[name]?.readOnly) readOnlyFields[name] = value
    else body[name] = value
  }
  return { body: withStamps(body, properties), readOnlyFields }
}

/** Maximum nesting: deeper objects would overflow the stack of recursive functions. */
const maxDepth = 32

/** Collects text that PostgreSQL cannot store and numbers beyond IEEE 754 doubles, anywhere in a body. */
function collectBodyErrors(body: unknown, validationErrors: Fault[]): void {
  const path: string[] = []
  const location = () =>
    ({ in: 'body', pointer: `#${path.map((name) => `/${escapePointer(name)}`).join('')}` }) as const
  const look = (value: unknown) => {
    if (validationErrors.length > maximumFaults) return
    if (typeof value === 'string') {
      const detail = textError(value)
      if (detail !== null) validationErrors.push({ ...location(), code: 'invalid_text', detail })
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      validationErrors.push({ ...location(), code: 'too_large', detail: 'is a number too large to be stored' })
    }
    if (typeof value !== 'object' || value === null) return
    if (path.length >= maxDepth) {
      validationErrors.push({ ...location(), code: 'too_large', detail: `is nested more than ${maxDepth} levels deep` })
      return
    }
    for (const [name, member] of Object.entries(value)) {
      path.push(name)
      const detail = textError(name)
      if (detail !== null) validationErrors.push({ ...location(), code: 'invalid_text', detail })
      look(member)
      path.pop()
    }
  }
  look(body)
}

/** Why PostgreSQL cannot store a text, or null. */
function textError(text: string): string | null {
  if (text.includes('\0')) return 'must not contain U+0000'
  return toUSVString(text) === text ? null : 'must not contain half of a surrogate pair'
}

function collectTextErrors(text: string, where: Pick<Fault, 'in' | 'name'>, validationErrors: Fault[]): void {
  const detail = textError(text)
  if (detail !== null) validationErrors.push({ ...where, code: 'invalid_text', detail })
}

/** One error for each location and code, and at a location with invalid text or number nothing else. */
function withoutRepeats(validationErrors: Fault[]): Fault[] {
  const seen = new Set<string>()
  const impossible = new Set<string>()
  return validationErrors.filter((validationError) => {
    const where = `${validationError.in} ${validationError.pointer ?? validationError.name}`
    if (impossible.has(where)) return false
    if (
      validationError.code === 'invalid_text' ||
      (validationError.code === 'too_large' && validationError.detail.startsWith('is '))
    ) {
      impossible.add(where)
    }
    const key = `${where} ${validationError.code}`
    return !seen.has(key) && seen.add(key)
  })
}

function getName(error: ErrorObject): string {
  const [, name] = error.instancePath.split('/')
  return name ?? String(error.params.additionalProperty ?? error.params.missingProperty ?? '')
}

function getPointer(error: ErrorObject): string {
  const member = error.params.additionalProperty ?? error.params.missingProperty
  const below = member === undefined ? '' : `/${escapePointer(String(member))}`
  return `#${error.instancePath}${below}`
}

function escapePointer(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1')
}

function explain(error: ErrorObject): { code: FaultCode; detail: string } {
  const { keyword, params, data } = error
  switch (keyword) {
    case 'required':
      return { code: 'required', detail: 'is required' }
    case 'additionalProperties':
      return {
        code: 'unknown_field',
        detail: `is not known here${nearestName(String(params.additionalProperty), getProperties(error))}`,
      }
    case 'type':
      if (data === null) return { code: 'not_allowed_null', detail: 'must not be null' }
      if (Array.isArray(data) && ![params.type].flat().includes('array')) {
        return { code: 'wrong_type', detail: `must be one ${[params.type].flat().join(' or ')}, and given only once` }
      }
      return { code: 'wrong_type', detail: `must be of type ${[params.type].flat().join(' or ')}` }
    case 'minimum':
      return { code: 'too_small', detail: `must be at least ${params.limit}` }
    case 'exclusiveMinimum':
      return { code: 'too_small', detail: `must be greater than ${params.limit}` }
    case 'maximum':
      return { code: 'too_large', detail: `must be at most ${params.limit}` }
    case 'minLength':
      return {
        code: 'too_short',
        detail: `must have at least ${params.limit} ${params.limit === 1 ? 'character' : 'characters'}`,
      }
    case 'maxLength':
      return { code: 'too_long', detail: `must have at most ${params.limit} characters` }
    case 'minItems':
      return {
        code: 'too_short',
        detail: `must have at least ${params.limit} ${params.limit === 1 ? 'item' : 'items'}`,
      }
    case 'maxItems':
      return { code: 'too_long', detail: `must have at most ${params.limit} items` }
    case 'pattern':
      return { code: 'pattern', detail: `must match the pattern ${params.pattern}${patternText(error)}` }
    case 'format':
      return { code: 'format', detail: `must be ${formatTexts[params.format as string] ?? 'of its format'}` }
    case 'enum':
      return { code: 'not_in_enum', detail: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` }
    default:
      return { code: 'inconsistent', detail: error.message ?? 'is not valid' }
  }
}

/** The description of a pattern from its schema, as the end of a sentence. */
function patternText({ parentSchema }: ErrorObject): string {
  const hint = (parentSchema as Readonly<Record<string, unknown>> | undefined)?.['x-pattern-in-words']
  return typeof hint === 'string' ? `: ${hint}` : ''
}

function getProperties({ parentSchema }: ErrorObject): object {
  return (parentSchema as { properties?: object } | undefined)?.properties ?? {}
}

/** A suggestion for a misspelt name, as the end of a sentence. */
function nearestName(sent: string, properties: object): string {
  if (sent.length > maxNameLength) return ''
  const known = Object.keys(properties)
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const nearest = known.length === 0 ? '' : closest(plain(sent), known.map(plain))
  const meant = known.find((name) => plain(name) === nearest)
  const isNear = meant !== undefined && distance(plain(sent), nearest) <= Math.max(1, nearest.length / 4)
  return isNear ? `; did you mean ${meant}?` : ''
}

/** Longer names are no typing errors of known ones. */
const maxNameLength = 40

const formatTexts: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a calendar date, YYYY-MM-DD',
  'date-time': 'a date-time of RFC 3339 with Z or an offset',
  'date-time-or-date': 'a date-time of RFC 3339 with Z or an offset, or a date YYYY-MM-DD',
  'email-or-empty': 'a valid e-mail address',
  'https-url': 'an https address',
}

/** The validation errors of a JSON value that is not a request, such as a file. */
export function getErrors(schema: TSchema, value: unknown): Fault[] {
  const validationErrors: Fault[] = []
  collectBodyErrors(value, validationErrors)
  collect(
    ajv.compile(schema),
    value,
    (error) => ({ in: 'body', pointer: getPointer(error), ...explain(error) }),
    validationErrors,
  )
  return withoutRepeats(validationErrors)
}
