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

/** A name in the case in which the code has it, quoted, such as that of a field which a statement carries as JSON. */
export function quotedName(name: string): Sql {
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) throw new TypeError(`not a plain name: ${name}`)
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

/**
 * That a text is one of these. Of one it is an equality: how many an array has is only known with its values, so PostgreSQL plans a
 * statement that has one anew each time, which took ten times as long as to look a record up.
 */
export function isOneOf(text: Sql, values: readonly string[]): Sql {
  const [only, ...others] = values
  return only !== undefined && others.length === 0
    ? sql`${text} = ${only}`
    : sql`${text} = any (${[...values]}::text[])`
}

/** A statement as it is sent, with the name under which a connection keeps it prepared, where it has one. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string | undefined
  /** Where it reads one record by its id. */
  readonly keyed?: Keyed
}

/** What reads one record by its id: what several of them ask for at once on a shared connection one statement reads for all. */
export interface Keyed {
  /** As PostgreSQL writes it. */
  readonly id: string
  /**
   * The statement that returns the same row, with its `id`, for each of these that is there. Only those that have the very same go
   * together: it must rest on nothing but the tenant and the ids.
   */
  readonly ofMany: (tenantId: string, ids: readonly string[]) => Statement
}

/** A statement with its text put together and its name looked up, for those who ask for both more than once. */
export function named({ text, values, name = preparedName(text) }: Statement): Statement {
  return { text, values, name }
}

/**
 * A statement whose text is the same whatever it is asked with: it is made once, and then only given its values, because to put it together
 * costs more than to send it. `make` must put its values into the statement and look at none of them, and put nothing else into it: one that
 * does is made anew each time.
 */
export function madeOnce<Values extends readonly unknown[]>(
  make: (...values: Values) => Sql,
): (...values: Values) => Statement {
  let made: { readonly text: string; readonly name: string | undefined; readonly places: readonly number[] } | undefined
  return (...values) => {
    if (made === undefined) {
      // Stand-ins that nothing can be made of but what they stand for.
      const standIns = values.map(() => Symbol())
      const { text, values: placed } = make(...(standIns as unknown as Values))
      made = { text, name: preparedName(text), places: placed.map((value) => standIns.indexOf(value as symbol)) }
    }
    const { text, name, places: locations } = made
    return locations.includes(-1)
      ? make(...values)
      : { text, name, values: locations.map((position) => values[position]) }
  }
}

/** The same for values that have names. */
export function getMadeOnce<Name extends string>(
  names: readonly Name[],
  make: (values: Readonly<Record<Name, unknown>>) => Sql,
): (values: Readonly<Record<Name, unknown>>) => Statement {
  const made = madeOnce((...values: readonly unknown[]) =>
    make(Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Name, unknown>),
  )
  return (values) => made(...names.map((name) => values[name]))
}

const names = new Map<string, string>()
const maxNames = 1000

/**
 * The name under which a connection keeps a statement prepared, or undefined once too many different texts were seen,
 * because each one occupies memory in every session.
 */
export function preparedName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
