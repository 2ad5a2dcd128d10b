import { type Static, type TObject, type TOptional, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

/**
 * The building blocks of the declarations. Each returns plain JSON Schema 2020-12 that also carries its static type.
 */

export type { Static, TObject, TProperties, TSchema }

/** A field that a body or a query may leave out. */
export const optional = Type.Optional

/** A field that may also be `null`, written as a type list so that a validation error names one reason and not two. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const plain = schema as unknown as { type?: string; enum?: unknown[] }
  if (plain.type === 'object') return Type.Unsafe({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe({ ...schema, type: [plain.type, 'null'], ...(plain.enum && { enum: [...plain.enum, null] }) })
}

/** An enumeration. */
export function oneOf<const Value extends string>(values: readonly Value[], description: string): TUnsafe<Value> {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], description })
}

/** The same schema with a description of its own. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description }
}

/** Free text of at most `maxLength` code points; `minLength` 1 forbids the empty text. */
export function text(description: string, maxLength = 255, minLength = 0): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', ...(minLength > 0 && { minLength }), maxLength, description })
}

/** A text of the record as it is returned: no bound is promised on the way out. */
export function label(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', description })
}

export function flag(description: string): TUnsafe<boolean> {
  return Type.Unsafe<boolean>({ type: 'boolean', description })
}

export function count(description: string): TUnsafe<number> {
  return Type.Unsafe<number>({ type: 'integer', minimum: 0, description })
}

export function decimal(description: string): TUnsafe<number> {
  return Type.Unsafe<number>({ type: 'number', description })
}

export function listOf<Schema extends TSchema>(
  items: Schema,
  description: string,
  maxItems?: number,
): TUnsafe<Static<Schema>[]> {
  return Type.Unsafe<Static<Schema>[]>({
    type: 'array',
    items,
    description,
    ...(maxItems !== undefined && { maxItems }),
  })
}

/** A JSON value below a free-form object. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** An object with keys of the integrator's choosing. */
export function freeObject(description: string): TUnsafe<JsonObject> {
  return Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description })
}

/** The maximum keys of a free object, and its maximum bytes as JSON in UTF-8, also after a merge. */
export const freeObjectBounds = { keys: 200, bytes: 65_536 } as const

/**
 * A free object as it is sent: bounded, where what is returned may have been stored before there was a bound. With
 * `isFree` false its members are those that somebody has defined, which bound their values.
 */
export function freeObjectInput(description: string, isFree = true): TUnsafe<JsonObject> {
  const { keys, bytes } = freeObjectBounds
  const bounds = `At most ${keys} keys${isFree ? `, and ${bytes} bytes of JSON, also once it is merged` : ''}.`
  return Type.Unsafe<JsonObject>({
    type: 'object',
    additionalProperties: true,
    maxProperties: keys,
    ...(isFree && { 'x-max-bytes': bytes }),
    description: `${description} ${bounds}`,
  })
}

/**
 * A record as it is returned: every field present. The title names it in the OpenAPI document. Of its examples the
 * first shows the most, the last the least.
 */
export function record<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
  ...examples: Static<TObject<Properties>>[]
): TObject<Properties> {
  return Type.Object(properties, {
    title,
    description,
    additionalProperties: false,
    ...(examples.length > 0 && { examples }),
  }) as TObject<Properties>
}

/**
 * A request body: the fields that can be written and, marked `readOnly`, the other fields of the record that it
 * writes. Those are taken when they equal what is stored, so that a fetched record can be sent back.
 */
export function body<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
  of: TObject<TProperties> | null,
  example?: Static<TObject<Properties>>,
): TObject<Properties> {
  const readOnly = Object.entries(of?.properties ?? {})
    .filter(([name]) => !(name in properties))
    .map(([name]) => [
      name,
      Type.Optional(
        Type.Unsafe<never>({ readOnly: true, description: 'Not writable: taken when it equals the stored value.' }),
      ),
    ])
  return Type.Object({ ...properties, ...Object.fromEntries(readOnly) } as Properties, {
    title,
    description,
    additionalProperties: false,
    ...(example !== undefined && { examples: [example] }),
  }) as TObject<Properties>
}

/** Every field optional: the body of a change in which an absent field stays as it is. */
export function allOptional<Properties extends TProperties>(
  properties: Properties,
): { [Name in keyof Properties]: TOptional<Properties[Name]> } {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(entries) as { [Name in keyof Properties]: TOptional<Properties[Name]> }
}

export const Uuid = Type.Unsafe<string>({ type: 'string', format: 'uuid', description: 'Id, a UUID.' })

export const ExternalId = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 160,
  description: 'The key of the record in the integrator’s own system, unique in the tenant.',
})

/** A stamp on the way out: RFC 3339 in UTC with milliseconds, 24 characters. */
export const Stamp = Type.Unsafe<string>({
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339, UTC, milliseconds.',
})

export const CreatedAt = described(Stamp, 'When the record was made. RFC 3339, UTC, milliseconds.')
export const UpdatedAt = described(Stamp, 'When the record last changed; never goes back. RFC 3339, UTC, milliseconds.')

/** A stamp on the way in: RFC 3339 with `Z` or an offset. */
export const StampInput = Type.Unsafe<string>({
  type: 'string',
  format: 'date-time',
  maxLength: 64,
  description: 'RFC 3339 with `Z` or an offset.',
})

/** A stamp on the way in that may be a bare date, which means midnight UTC. */
export const StampOrDateInput = Type.Unsafe<string>({
  type: 'string',
  format: 'date-time-or-date',
  maxLength: 64,
  description: 'RFC 3339 with `Z` or an offset, or a bare `YYYY-MM-DD`, which means midnight UTC.',
})

export const CalendarDate = Type.Unsafe<string>({
  type: 'string',
  format: 'date',
  description: 'Calendar date, `YYYY-MM-DD`.',
})

/** An e-mail address to be stored; the empty text is stored as `null`. */
export const EmailInput = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'email-or-empty',
  maxLength: 254,
  description: 'A valid e-mail address. The empty string is stored as `null`.',
})

export const PhotoUrl = Type.Unsafe<string>({
  type: 'string',
  format: 'https-url',
  maxLength: 2048,
  description: 'An https address.',
})

/** Name of a person that is not blank. */
export function personName(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 255, pattern: '\\S', description })
}
