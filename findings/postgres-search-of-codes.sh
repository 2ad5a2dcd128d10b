#!/bin/sh
# Guess:  PostgreSQL's text search, with the configuration that changes no word (simple), finds an invoice by its last part
#         and a person by the last name.
# So is:  its parser takes -2026 and -001 for negative numbers, A.Schmidt and St.Mary for names of hosts, and 5a/b and Li/Wei
#         for paths of files: one word each, that no search for a part finds. O'Brien and Müller-Lüdenscheidt come apart.
# Schools: the office searches for 001, Schmidt or 5a and is told that there is none, and makes it a second time.
. "$(dirname "$0")/lib.sh"

install @electric-sql/pglite@0.5.17
run <<'JS'
import { PGlite } from '@electric-sql/pglite';
const database = await PGlite.create();
const { rows: [{ server_version: version }] } = await database.query('show server_version');
console.log('PostgreSQL', version);
for (const [text, part] of [
  ['INV-2026-001', '001'], ['A.Schmidt', 'Schmidt'], ['St.Mary School', 'Mary'], ['Class 5a/b', '5a'], ['Li/Wei', 'Wei'],
  ["O'Brien", 'Brien'], ['Müller-Lüdenscheidt', 'Müller'],
]) {
  const { rows: [row] } = await database.query(
    `select to_tsvector('simple', $1)::text as words, to_tsvector('simple', $1) @@ plainto_tsquery('simple', $2) as found`,
    [text, part],
  );
  console.log(`${text}: ${row.words} - found by ${part}: ${row.found}`);
}
await database.close();
JS
seen <<'TEXT'
PostgreSQL 18.7
INV-2026-001: '-001':3 '-2026':2 'inv':1 - found by 001: false
A.Schmidt: 'a.schmidt':1 - found by Schmidt: false
St.Mary School: 'school':2 'st.mary':1 - found by Mary: false
Class 5a/b: '5a/b':2 'class':1 - found by 5a: false
Li/Wei: 'li/wei':1 - found by Wei: false
O'Brien: 'brien':2 'o':1 - found by Brien: true
Müller-Lüdenscheidt: 'lüdenscheidt':3 'müller':2 'müller-lüdenscheidt':1 - found by Müller: true
TEXT
