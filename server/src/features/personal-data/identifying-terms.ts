import { column, identifier, join, sql, type Transaction } from '../../database/index.ts'
import { formerValues, identifyingColumns, payerTables } from './declared.ts'
import type { PersonRecord } from './person.ts'

type Kind = 'name' | 'email' | 'phone' | 'text' | 'code' | 'iban'

/** A value that identifies a person, as it may be written in a text. */
interface Term {
  readonly kind: Kind
  /** Matches it exactly, on word boundaries, in any case. */
  readonly pattern: RegExp
  /** A PostgreSQL regular expression that matches every text with it, and some others (prefilter). */
  readonly prefilter: string
}

/** The terms that identify a person outside of its own rows. */
export interface IdentifyingTerms {
  /** The ids and codes of the person's records. */
  readonly keys: ReadonlySet<string>
  /** Terms of this person only. */
  readonly own: readonly Term[]
  /** Names that others have too: they count only where something else identifies the person. */
  readonly shared: readonly Term[]
}

/** The replacement of an erased term. */
export const erasedText = 'Erased'

/**
 * Reads the identifying terms of a person: names of two words or more, e-mail addresses, telephone numbers of seven
 * digits or more in any notation, document numbers, addresses, codes, and former values of these in the audit; and what stands beside the
 * person's name as a payer, such as an IBAN. A value of another person too identifies nobody; shared names are returned separately.
 */
export async function loadIdentifyingTerms(
  tx: Transaction,
  person: readonly PersonRecord[],
): Promise<IdentifyingTerms> {
  const keys = new Set<string>()
  const terms = new Map<string, Term>()
  const add = (kind: Kind, value: string | null) => {
    const term = value === null ? null : toTerm(kind, value)
    if (term !== null) terms.set(term.pattern.source, term)
  }
  for (const { table, id, code } of person) {
    keys.add(id)
    if (table.table !== 'users' && isDistinct(code)) {
      keys.add(code)
      add('code', code)
    }
    for (const [kind, columns] of listKinds(table.table)) {
      const [row] = await tx.query<Record<string, string | null>>(sql`
        select ${join(columns.map((name) => sql`r.${column(name)}`))} from ${identifier(table.table)} r
         where r.tenant_id = ${tx.tenantId} and r.id = ${id}`)
      for (const name of columns) add(kind, row?.[name] ?? null)
    }
  }
  const former = await tx.query<{ key: string; value: string }>(sql`
    select distinct m.key, m.value from audit_entries r
      cross join lateral (select * from jsonb_each_text(r.before) union all select * from jsonb_each_text(r.after)) m
     where r.tenant_id = ${tx.tenantId} and r.entity_id = any (${person.map(({ id }) => id)}::uuid[])
       and m.key = any (${Object.values(formerValues).flat()}::text[]) and m.value is not null`)
  for (const [kind, members] of Object.entries(formerValues) as [Kind, readonly string[]][]) {
    for (const { key, value } of former) if (members.includes(key)) add(kind, value)
  }
  const all = [...terms.values()]
  const isShared = await findSharedTerms(tx, person, all)
  const own = all.filter((term) => !isShared(term))
  const beside = await findPayerTerms(tx, person, own)
  const isSharedBeside = await findSharedTerms(tx, person, beside)
  return {
    keys,
    own: [...own, ...beside.filter((term) => !isSharedBeside(term))],
    shared: all.filter((term) => term.kind === 'name' && isShared(term)),
  }
}

/** What payers with the person's name, or the person's own account, have and no payer of another name. */
async function findPayerTerms(tx: Transaction, person: readonly PersonRecord[], own: readonly Term[]): Promise<Term[]> {
  const names = own.filter(({ kind }) => kind === 'name')
  const ids = person.map(({ id }) => id)
  const holders = new Map<string, { readonly term: Term; isOwn: boolean }>()
  for (const { table, name, student, columns } of payerTables) {
    const kinds = Object.entries(columns) as [Kind, readonly string[]][]
    const values = kinds.flatMap(([kind, each]) => each.map((value) => [kind, value] as const))
    const isStudents = student === null ? sql`false` : sql`r.${column(student)} = any (${ids}::uuid[])`
    const isNamed =
      names.length === 0 ? sql`false` : sql`r.${column(name)} ~* ${names.map((term) => term.prefilter).join('|')}`
    const rows = await tx.query<
      Record<string, string | null> & { holder: string | null; is_students: boolean | null }
    >(sql`
      with theirs as materialized (
        select r.* from ${identifier(table)} r where r.tenant_id = ${tx.tenantId} and (${isStudents} or ${isNamed})
      )
      select r.${column(name)} as holder, ${isStudents} as is_students, ${join(values.map(([, each]) => sql`r.${column(each)}`))}
        from ${identifier(table)} r
       where r.tenant_id = ${tx.tenantId}
         and (${join(
           values.map(([, each]) => sql`r.${column(each)} in (select t.${column(each)} from theirs t)`),
           ' or ',
         )})`)
    for (const { holder, is_students: isOfStudent, ...row } of rows) {
      const isOwn = isOfStudent === true || names.some(({ pattern }) => holder !== null && holder.search(pattern) >= 0)
      for (const [kind, each] of values) {
        const value = row[each] ?? null
        const term = value === null ? null : toTerm(kind, value)
        if (term === null) continue
        const known = holders.get(term.pattern.source)
        if (known === undefined) holders.set(term.pattern.source, { term, isOwn })
        else known.isOwn &&= isOwn
      }
    }
  }
  return [...holders.values()].filter(({ isOwn }) => isOwn).map(({ term }) => term)
}

function listKinds(table: string): [Kind, readonly string[]][] {
  return Object.entries(identifyingColumns[table] ?? {}) as [Kind, readonly string[]][]
}

/** Whether a code is distinctive: one that could be any word or number identifies nobody. */
function isDistinct(code: string): boolean {
  return code.length >= 5 && /\d/.test(code) && /\D/.test(code)
}

/**
 * The search term of a stored value, or null when it is too short or too common. Its pattern has no unbounded
 * repetition, so that the search time is linear in the length of the text.
 */
export function toTerm(kind: Kind, value: string): Term | null {
  const text = value.trim()
  if (text === '' || text === erasedText || /^erased-/.test(text)) return null
  if (kind === 'phone') return phoneTerm(text)
  if (kind === 'name') return nameTerm(text)
  if (kind === 'iban') return ibanTerm(text)
  if (kind === 'email' ? !text.includes('@') : text.length < 5 || !/\d/.test(text)) return null
  return {
    kind,
    pattern: new RegExp(`(?<![\\p{L}\\p{N}_%+-])${escaped(text)}(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])`, 'giu'),
    prefilter: toPrefilter(text),
  }
}

/** A full name in order, or with the last word first, as in a file name or a list. */
function nameTerm(text: string): Term | null {
  const words = text.split(/[\s,]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length < 2 || text.length < 5) return null
  const orders = [words, [...words.slice(-1), ...words.slice(0, -1)]]
  const between = '(?:[\\s_.,+-]|%20){1,6}'
  const exact = orders.map((order) => order.map(escaped).join(between)).join('|')
  return {
    kind: 'name',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${exact})(?![\\p{L}\\p{N}])`, 'giu'),
    prefilter: orders.map((order) => order.map(toPrefilter).join('.{1,6}')).join('|'),
  }
}

/** A telephone number by its last nine digits, with any separators and prefix. */
function phoneTerm(text: string): Term | null {
  const digits = text.replace(/\D/g, '').slice(-9)
  if (digits.length < 7) return null
  const exact = [...digits].join('[^\\p{L}\\p{N}]{0,3}')
  return {
    kind: 'phone',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:\\+|\\(|00)?[\\d ()./-]{0,8}?${exact}(?![\\p{L}\\p{N}])`, 'gu'),
    prefilter: [...digits].join('[^0-9]{0,3}'),
  }
}

/** An IBAN (ISO 13616), in one piece or in groups. */
function ibanTerm(text: string): Term | null {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '')
  if (letters.length < 10) return null
  return {
    kind: 'iban',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${[...letters].join('[ -]?')}(?![\\p{L}\\p{N}])`, 'giu'),
    prefilter: [...letters].join('[ -]?'),
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A prefilter pattern: PostgreSQL does not fold the case of every letter in every locale. */
function toPrefilter(text: string): string {
  return [...text]
    .map((letter) => {
      if (/[\s"\\]/.test(letter)) return '.{1,6}' // as escaped in JSON
      if (/[A-Za-z0-9]/.test(letter)) return letter
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
      if (lower !== upper && [...upper].length === 1) return `[${lower}${upper}]`
      return letter.charCodeAt(0) < 128 ? `\\${letter}` : letter
    })
    .join('')
}

/** Finds the terms that identify another person too, staff included. */
async function findSharedTerms(
  tx: Transaction,
  person: readonly PersonRecord[],
  terms: readonly Term[],
): Promise<(term: Term) => boolean> {
  const own = person.map(({ id }) => id)
  const locations: [string, Kind, readonly string[]][] = [
    ...Object.keys(identifyingColumns).flatMap((table) =>
      listKinds(table).map(([kind, columns]): [string, Kind, readonly string[]] => [table, kind, columns]),
    ),
    ['employees', 'name', ['employee_name']],
    ['instructors', 'name', ['instructor_name']],
  ]
  const others: { kind: Kind; text: string }[] = []
  for (const [table, kind, columns] of locations) {
    const prefilter = terms.filter((term) => term.kind === kind).map((term) => term.prefilter)
    if (prefilter.length === 0) continue
    const values = sql`concat_ws(E'\n', ${join(columns.map((name) => sql`r.${column(name)}`))})`
    const rows = await tx.query<{ text: string }>(sql`
      select distinct ${values} as text from ${identifier(table)} r
       where r.tenant_id = ${tx.tenantId} and r.id <> all (${own}::uuid[]) and ${values} ~* ${prefilter.join('|')}`)
    others.push(...rows.map(({ text }) => ({ kind, text })))
  }
  return ({ kind, pattern }) => others.some((other) => other.kind === kind && other.text.search(pattern) >= 0)
}
