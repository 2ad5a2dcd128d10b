import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { splitStatements } from './split-statements.ts'

test('a text of SQL is split at the ends of its statements, not within quotes, bodies and comments', () => {
  const body = 'create function f() returns void language plpgsql as $$ begin; end; $$'
  const text = `-- first; of all\nselect ';''' as ";";\n/* ; */ ${body};\n-- only; words\n do $x$ $$;$$ $x$`
  assert.deepEqual(splitStatements(text), [`select ';''' as ";"`, body, 'do $x$ $$;$$ $x$'])
})

test('every statement of the migrations begins with a word of SQL', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const names = new Set<string>()
  for (const file of await readdir(folder)) {
    for (const statement of splitStatements(await readFile(new URL(file, folder), 'utf8'))) {
      names.add(/^\w*/.exec(statement)?.[0] ?? '')
    }
  }
  assert.deepEqual([...names].sort(), ['alter', 'create', 'delete', 'do', 'drop', 'insert', 'select', 'update', 'with'])
})
