import pg from 'pg'

const oids = { int8: 20, date: 1082, timestamp: 1114, timestamptz: 1184, numeric: 1700 } as const

/**
 * `2026-09-01 00:00:00.5+00`, as PostgreSQL writes it in UTC, in the form of the interface: RFC 3339 with milliseconds.
 * Works on the text, because a Date and back costs more than the rest of a row.
 */
export function stampFromPostgres(text: string): string {
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const parsers = new Map<number, (text: string) => unknown>([
  [oids.int8, Number],
  [oids.date, (text) => text],
  [oids.timestamp, (text) => text],
  [oids.timestamptz, stampFromPostgres],
  [oids.numeric, Number],
])

/** How values of PostgreSQL become values of JavaScript: stamps and dates as text, numbers as numbers. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
}
