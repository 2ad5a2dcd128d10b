import assert from 'node:assert/strict'
import pg from 'pg'
import type { Outcome, RecordDesk } from '../../testing/record-desk.ts'

/** Adds fields to a type, by their names, and waits until the service knows them: within a second. */
export async function define(desk: RecordDesk, dt: string, fields: Readonly<Record<string, object>>): Promise<void> {
  for (const [fieldname, field] of Object.entries(fields)) {
    const made = await desk.create('Custom Field', { dt, fieldname, label: fieldname, ...field })
    assert.deepEqual([made.status, made.data?.name], [200, `${dt}-${fieldname}`], made.told)
  }
  await untilKnown(desk, dt, fields)
}

/** Waits until the service knows the fields of a type as they are now. */
export async function untilKnown(
  desk: RecordDesk,
  dt: string,
  fields: Readonly<Record<string, object>>,
): Promise<void> {
  const wanted = Object.entries(fields) as [string, { fieldtype?: string }][]
  for (;;) {
    const { data } = await desk.read('DocType', dt)
    const known = new Map(
      (data.fields as { fieldname: string; fieldtype: string }[]).map((field) => [field.fieldname, field]),
    )
    if (wanted.every(([name, { fieldtype }]) => known.get(name)?.fieldtype === fieldtype)) return
  }
}

/** The statements of this process that read definitions of fields while something is done. */
export async function definitionsReadWhile(run: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
    const [statement] = words as [string | { text?: string }]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    if (/\b(from|join) custom_field/.test(text)) sent.push(text)
    return (query as (...words: unknown[]) => unknown).apply(this, words)
  } as typeof query
  try {
    await run()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

/** That something was refused, and why. */
export function refused(outcome: Outcome, error: string, text: RegExp): void {
  assert.deepEqual([outcome.status, outcome.error], [error === 'DuplicateEntryError' ? 409 : 417, error], outcome.told)
  assert.match(outcome.told, text)
}
