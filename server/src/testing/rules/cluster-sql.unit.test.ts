import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getKind } from '../../database/citus/table-kinds.ts'

const sources = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Tables of tenants that statements of a text name by a constraint, where they insert or update. */
function findNamedConstraints(text: string): string[] {
  const found = [...text.matchAll(/on conflict on constraint (\w+)_(?:pkey|key)\b/g)].map(
    ([, table]) => table as string,
  )
  return found.filter((table) => getKind(table) === 'distributed')
}

test('SQL for a cluster: an upsert of a tenant’s rows names the columns, because the shards are views that have no constraints', () => {
  assert.deepEqual(findNamedConstraints('insert … on conflict on constraint roster_ids_pkey do nothing'), [
    'roster_ids',
  ])
  assert.deepEqual(findNamedConstraints('insert … on conflict on constraint job_states_pkey do nothing'), [])
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(sources, file), 'utf8')] as const)
  assert.ok(files.length > 500)
  const named = files.flatMap(([file, text]) => findNamedConstraints(text).map((table) => `${file}: ${table}`))
  assert.deepEqual(named, [])
})

/** The bodies of functions as the last migration leaves them, by name. */
function lastFunctions(head: RegExp): ReadonlyMap<string, string> {
  const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
  const bodies = new Map<string, string>()
  for (const file of readdirSync(folder).sort()) {
    for (const [body, name] of readFileSync(join(folder, file), 'utf8').matchAll(head)) bodies.set(name as string, body)
  }
  return bodies
}

test('SQL for a cluster: what a trigger writes names the columns too, because it runs on a shard', () => {
  const bodies = lastFunctions(/create (?:or replace )?function (\w+)\(\) returns trigger[\s\S]*?\$\$;/g)
  assert.ok(bodies.size > 5)
  const named = [...bodies].flatMap(([name, body]) => findNamedConstraints(body).map((table) => `${name}: ${table}`))
  assert.deepEqual(named, [])
})

test('SQL for a cluster: no function reads the rows of tenants within the expression that it returns', () => {
  const bodies = lastFunctions(/create (?:or replace )?function (\w+)\([^;]*?language plpgsql[\s\S]*?\$\$;/g)
  assert.ok(bodies.size > 20)
  const returned = [...bodies].flatMap(([name, body]) =>
    [...body.matchAll(/return \(\s*select[\s\S]*?from (\w+)/g)].flatMap(([, table]) =>
      getKind(table as string) === 'distributed' ? [`${name}: ${table}`] : [],
    ),
  )
  assert.deepEqual(returned, [])
})
