import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getNumber,
  MigrationFileError,
  readMigration,
  readMigrations,
} from '../../database/migrations/migration-files.ts'
import { loadErrors } from './migration-rules.ts'

/** The last migration that was written before there were rules; none of those changes any more. */
const lastBeforeRules = '0045'

test('migrations are numbered without doubles, and none holds up a large table or takes away what older processes use', async () => {
  const migrations = await readMigrations()
  const ruled = migrations.filter(({ name }) => getNumber(name) > lastBeforeRules)
  const numbers = ruled.map(({ name }) => getNumber(name))
  assert.ok(numbers.every((number) => /^\d{4}$/.test(number)))
  assert.equal(new Set(numbers).size, numbers.length)
  assert.deepEqual((await Promise.all(ruled.map(loadErrors))).flat(), [])
})

const rejected: Readonly<Record<string, RegExp>> = {
  'create index a_idx on a (b)': /concurrently/,
  'alter table a add column b text not null': /give it a default/,
  'alter table a add column b uuid not null default gen_random_uuid()': /writes the table anew/,
  'alter table a add column b bigint generated always as identity': /writes the table anew/,
  'alter table a add column b text unique': /using index/,
  'alter table a add constraint c check (b > 0)': /not valid/,
  'alter table a add constraint c foreign key (b) references d (b)': /not valid/,
  'alter table a add constraint c unique (b)': /using index/,
  'alter table a alter column b set not null': /is not null/,
  'alter table a alter column b type bigint': /add a column/,
  'alter table a drop column b': /contract/,
  'alter table a rename column b to c': /old name/,
  'alter table a rename to c': /old name/,
  'drop table a': /contract/,
  'drop view a': /contract/,
  'drop index a_idx': /contract/,
  'update a set b = 1': /in batches/,
  'delete from a': /in batches/,
  'truncate a': /holds the table/,
  'vacuum full a': /holds the table/,
  "do $$ begin execute 'drop table a'; end $$": /nobody sees/,
  '-- migration: concurrently\ncreate index concurrently a_idx on a (b)': /if not exists/,
  '-- migration: concurrently\nupdate a set b = 1': /here only/,
  '-- migration: in batches\nupdate a set b = 1; update a set c = 1': /here only one/,
}

for (const [text, advice] of Object.entries(rejected)) {
  test(`a migration with "${text.replace('\n', ' / ')}" is refused with what to write instead`, async () => {
    const validationErrors = await loadErrors(readMigration('9999_test', text))
    assert.ok(validationErrors.length > 0)
    assert.match(validationErrors[0]?.advice as string, advice)
  })
}

const taken = [
  'create table a (b integer not null); create index a_idx on a (b); alter table a add constraint c check (b > 0); update a set b = 1',
  "alter table a add column b text not null default 'x', add column c timestamptz not null default now(), add column d text",
  'alter table a add constraint c foreign key (b) references d (b) not valid',
  'alter table a add constraint c unique using index a_idx',
  'alter table a validate constraint c',
  'create or replace view v with (security_invoker = true) as select b from a',
  'create trigger t after insert on a for each row execute function f()',
  '-- migration: contract\nalter table a drop column b; drop table c',
  '-- migration: concurrently\n-- Why it is there.\ncreate index concurrently if not exists a_idx on a (b);\ndrop index concurrently if exists c_idx;\n',
  '-- migration: in batches\nupdate a set b = 1 where id in (select id from a where b is null limit 1000)',
  '-- reviewed: the table has one row for each institution\nupdate a set b = 1',
]

for (const text of taken) {
  test(`a migration with "${text.replaceAll('\n', ' / ').slice(0, 90)}" is taken`, async () => {
    assert.deepEqual(await loadErrors(readMigration('9999_test', text)), [])
  })
}

test('the first line of a migration says only what it may', () => {
  assert.deepEqual(
    [readMigration('1', 'select 1').kind, readMigration('1', '-- migration: contract, in batches\n').way],
    ['expand', 'in batches'],
  )
  assert.throws(() => readMigration('1', '-- migration: quickly\n'), MigrationFileError)
  assert.throws(() => readMigration('1', '-- migration: concurrently, in batches\n'), /both of these/)
})
