/**
 * A field as a client names it: alone, behind a link or table field (`student.student_name`), or behind a type
 * (`` `tabFee Component`.`amount` ``). Nothing of it is ever written into a statement.
 */
export interface FieldReference {
  /** As it was sent. */
  readonly text: string
  readonly qualifier: { readonly by: 'type' | 'field'; readonly name: string } | null
  readonly field: string
}

const maxCharacters = 300
const behindQuotedType = /^`tab([^`]+)`\.(`?)(\w+|\*)\2$/
const behindType = /^tab([A-Z][\w ]*)\.(`?)(\w+|\*)\2$/
const behindField = /^(`?)(\w+)\1\.(`?)(\w+)\3$/
const alone = /^(`?)(\w+|\*)\1$/

/** Parses a field name, with or without backticks. Null when malformed; whether the field exists is checked later. */
export function parseFieldReference(sent: string): FieldReference | null {
  if (sent.length > maxCharacters) return null
  const text = sent.trim()
  const typed = behindQuotedType.exec(text) ?? behindType.exec(text)
  if (typed !== null) return { text, qualifier: { by: 'type', name: typed[1] as string }, field: typed[3] as string }
  const linked = behindField.exec(text)
  if (linked !== null)
    return { text, qualifier: { by: 'field', name: linked[2] as string }, field: linked[4] as string }
  const own = alone.exec(text)
  return own === null ? null : { text, qualifier: null, field: own[2] as string }
}

/** The aggregate functions. */
export type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** One item of `fields`. */
export interface FieldExpression {
  /** Null for `count(*)`. */
  readonly reference: FieldReference | null
  readonly aggregate: Aggregate | null
  readonly isDistinct: boolean
  /** The alias of the value in a row, where one was sent. */
  readonly alias: string | null
  /** The expression without its alias. */
  readonly text: string
}

const aliased = /^(.*\S)\s+as\s+(\S.*)$/is
const quotedAlias = /^([`'"]?)([A-Za-z_][\w ]{0,62})\1$/
const computed = /^(count|sum|avg|min|max)\s*\(\s*(distinct\s+)?(\S+|\S.*\S)\s*\)$/is

/** Parses one item of `fields`. Null when malformed. */
export function parseFieldExpression(sent: string): FieldExpression | null {
  if (sent.length > maxCharacters) return null
  const [, body, as] = aliased.exec(sent.trim()) ?? [null, sent.trim(), null]
  const alias = as === null ? null : quotedAlias.exec((as as string).trim())?.[2]
  // A row is an object: an alias must not set its prototype.
  if (alias === undefined || alias === '__proto__') return null
  const [, name, distinct, inside] = computed.exec(body as string) ?? []
  const text = body as string
  const reference = parseFieldReference(inside ?? text)
  const aggregate = (name?.toLowerCase() ?? null) as Aggregate | null
  const isDistinct = distinct !== undefined
  if (aggregate === null) return reference && { reference, aggregate, isDistinct, alias, text }
  if (inside === '*')
    return aggregate === 'count' && !isDistinct ? { reference: null, aggregate, isDistinct, alias, text } : null
  return reference === null || reference.field === '*' ? null : { reference, aggregate, isDistinct, alias, text }
}
