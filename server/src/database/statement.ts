import sql, { empty, join, raw, type Sql } from 'sql-template-tag'

/**
 * SQL is written as tagged templates: every value becomes a parameter, and templates nest.
 * `literal` is for validated integers, which PostgreSQL plans better than parameters (LIMIT, OFFSET).
 */
export { empty, join, type Sql, sql }

/** A whole number written into the text of a statement. Throws on anything else. */
export function literal(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`)
  return raw(String(value))
}

/** A table or column name from the code itself, never from a request. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new TypeError(`not a plain identifier: ${name}`)
  return raw(name)
}

/** A column name from the code itself, quoted, so that it may be one of SQL's own words, such as `user`. */
export function column(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new TypeError(`not a plain identifier: ${name}`)
  return raw(`"${name}"`)
}

/** A name that is plain, written into the text of a statement as a text. */
export function literalName(plain: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(plain)) throw new TypeError(`not a plain name: ${plain}`)
  return raw(`'${plain}'`)
}

/** A list of column names from the code itself. */
export function identifiers(names: readonly string[]): Sql {
  return join(names.map(identifier))
}

const names = new Map<string, string>()
const mostNames = 1000

/**
 * The name under which a connection keeps a statement prepared, or undefined once too many different texts were seen,
 * because each one occupies memory in every session.
 */
export function preparedName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNames) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
