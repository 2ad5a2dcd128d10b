import type { Json, JsonObject, TSchema } from '../schema.ts'

/** Which way a schema's values go: answers may gain fields within a version, so they are not closed. */
export type Direction = 'request' | 'answer'

/**
 * The schemas of a document. Those with a title are published once, under `components/schemas`, and referred to
 * wherever they are used; the formats of our own are written in terms that standard tools know.
 */
export class PublishedSchemas {
  readonly components: Record<string, JsonObject> = {}

  /** The schema as it stands in the document. Throws when two different schemas have the same title. */
  publish(schema: TSchema, direction: Direction): JsonObject {
    return this.#reference(schema as JsonObject, direction)
  }

  #reference(schema: JsonObject, direction: Direction): JsonObject {
    const written = withStandardFormat(this.#write(schema, direction))
    if (typeof written.title !== 'string') return written
    const known = this.components[written.title]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(written)) {
      throw new Error(`two different schemas have the title ${written.title}`)
    }
    this.components[written.title] = written
    return { $ref: `#/components/schemas/${written.title}` }
  }

  #write(schema: JsonObject, direction: Direction): JsonObject {
    const written: JsonObject = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties') written[keyword] = this.#properties(value as JsonObject, direction)
      else if (keyword === 'items') written[keyword] = this.#reference(value as JsonObject, direction)
      else if (keyword === 'anyOf') {
        written[keyword] = (value as JsonObject[]).map((branch) => this.#reference(branch, direction))
      } else if (keyword === 'additionalProperties' && value === false && direction === 'answer') continue
      else written[keyword] = value
    }
    return written
  }

  #properties(properties: JsonObject, direction: Direction): JsonObject {
    const entries = Object.entries(properties).map(([name, schema]) => {
      const written = this.#reference(schema as JsonObject, direction)
      return [name, { ...written, description: this.#descriptionOf(written) }]
    })
    return Object.fromEntries(entries)
  }

  /** A property says what it is beside a reference or a choice as well, where tools look for it. */
  #descriptionOf(schema: JsonObject): string {
    const { description, $ref, anyOf } = schema
    if (typeof description === 'string') return description
    if (typeof $ref === 'string') return this.#descriptionOf(this.components[$ref.split('/').at(-1) as string] ?? {})
    const [first] = (anyOf ?? []) as JsonObject[]
    return first === undefined ? '' : this.#descriptionOf(first)
  }
}

/** The formats that the contract names and JSON Schema does not, as standard formats and patterns. */
function withStandardFormat(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.enum) && schema.enum.includes(null)) return withoutNull(schema, schema.enum)
  const { format, type, ...rest } = schema
  switch (format) {
    case 'date-time-or-date':
      return choice(rest, type, [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ])
    case 'email-or-empty':
      return choice(rest, type, [
        { type: 'string', format: 'email' },
        { type: 'string', const: '' },
      ])
    case 'https-url':
      return { ...schema, format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://' }
    default:
      return schema
  }
}

/** A choice that may be null, in a form from which generators of clients keep the null. */
function withoutNull({ type, enum: _, ...rest }: JsonObject, values: Json[]): JsonObject {
  const one = Array.isArray(type) ? type.filter((name) => name !== 'null') : []
  const choice = { ...(one.length === 1 && { type: one[0] as string }), enum: values.filter((value) => value !== null) }
  return { ...rest, anyOf: [choice, { type: 'null' }] }
}

function choice(rest: JsonObject, type: Json | undefined, branches: JsonObject[]): JsonObject {
  const isNullable = Array.isArray(type) && type.includes('null')
  return { ...rest, anyOf: [...branches, ...(isNullable ? [{ type: 'null' }] : [])] }
}
