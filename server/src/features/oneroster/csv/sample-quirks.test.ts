import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import yazl from 'yazl'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { readResponse } from '../roster.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)

/** A small bundle of 1.1 as the standard has it. */
const plain: Readonly<Record<string, string>> = {
  'manifest.csv': 'propertyName,value\r\nmanifest.version,1.0\r\noneroster.version,1.1\r\nfile.users,bulk\r\n',
  'orgs.csv': 'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId\r\no,,,Hill,school,1,\r\n',
  'academicSessions.csv':
    'sourcedId,title,type,startDate,endDate,parentSourcedId,schoolYear\r\ny,2026-27,schoolYear,2026-08-01,2027-07-01,,2027\r\n' +
    't,Autumn,term,2026-08-01,2026-12-21,y,2027\r\n',
  'courses.csv': 'sourcedId,title,courseCode,orgSourcedId\r\nc,Algebra,ALG,o\r\n',
  'users.csv':
    'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,givenName,familyName\r\n' +
    's,,,true,o,student,ada,Ada,Byron\r\nl,,,true,o,teacher,grace,Grace,Hopper\r\n',
  'classes.csv':
    'sourcedId,title,courseSourcedId,classType,schoolSourcedId,termSourcedIds\r\nk,Algebra 1,c,scheduled,o,t\r\n',
  'enrollments.csv':
    'sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role\r\ne,k,o,s,student\r\nf,k,o,l,teacher\r\n',
}

/** What an institution has after a bundle: the objects of the classes by their sourcedIds. */
interface Imported {
  readonly errors: readonly { readonly file: string; readonly line: number; readonly code: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: objects of every class
  list(path: string): Promise<any[]>
}

async function importBundle(files: Readonly<Record<string, string>>): Promise<Imported> {
  const tenant = await service.tenant()
  const path = join(commandLine.folder, `${tenant.slug}.zip`)
  const zip = new yazl.ZipFile()
  for (const [file, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), file)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  const { stdout } = await commandLine.run(['import', 'oneroster', path, '--tenant', tenant.slug, '--json'])
  const { secret } = await tenant.token()
  return {
    errors: JSON.parse(stdout).faults,
    list: async (path) => {
      const address = `${service.address}/t/${tenant.slug}/ims/oneroster/rostering/v1p2${path}`
      const { body } = await readResponse(await fetch(address, { headers: { authorization: `Bearer ${secret}` } }))
      return Object.values(body)[0] as never
    },
  }
}

/** What real bundles do, each with what its import must have. */
const quirks: Readonly<Record<string, (bundle: typeof plain) => Record<string, string>>> = {
  'LF and no final newline': (bundle) =>
    Object.fromEntries(Object.entries(bundle).map(([name, text]) => [name, text.replaceAll('\r\n', '\n').trimEnd()])),
  'every cell quoted, headings and manifest included': (bundle) =>
    Object.fromEntries(
      Object.entries(bundle).map(([name, text]) => [
        name,
        text
          .trimEnd()
          .split('\r\n')
          .map((line) => `"${line.split(',').join('","')}"\r\n`)
          .join(''),
      ]),
    ),
  'a byte order mark in each file': (bundle) =>
    Object.fromEntries(Object.entries(bundle).map(([name, text]) => [name, `\ufeff${text}`])),
  'an enclosing folder and what macOS adds': (bundle) => ({
    ...Object.fromEntries(Object.entries(bundle).map(([name, text]) => [`export/${name}`, text])),
    '__MACOSX/export/._users.csv': 'x',
    'export/.DS_Store': 'x',
  }),
  'names of files in other cases': (bundle) =>
    Object.fromEntries(Object.entries(bundle).map(([name, text]) => [name.toUpperCase(), text])),
  'a manifest with source.* first, few properties, an empty value and an unknown one': (bundle) => ({
    ...bundle,
    'manifest.csv':
      'propertyName,value\nsource.systemName,absent\nfile.scoreScales,\nfile.users,bulk\nx.y,z\noneroster.version,1.1\n',
  }),
  'files declared bulk that are not there, and files with headings alone': (bundle) => ({
    ...bundle,
    'manifest.csv': `${bundle['manifest.csv']}file.demographics,bulk\r\nfile.lineItems,bulk\r\n`,
    'categories.csv': 'sourcedId,title\r\n',
  }),
  'unknown files beside the known ones': (bundle) => ({
    ...bundle,
    'userprofiles.csv': 'a\r\n1\r\n',
    'notes.txt': 'x',
  }),
  'columns in another order, extension columns in the middle': (bundle) => ({
    ...bundle,
    'enrollments.csv':
      'role,ext_seat,sourcedId,metadata.row,userSourcedId,classSourcedId,schoolSourcedId\r\n' +
      'student,1,e,2,s,k,o\r\nteacher,1,f,2,l,k,o\r\n',
  }),
  'capitals in vocabularies': (bundle) => ({
    ...bundle,
    'users.csv': (bundle['users.csv'] ?? '').replace(',student,', ',Student,').replace(',teacher,', ',TEACHER,'),
    'classes.csv': (bundle['classes.csv'] ?? '').replace(',scheduled,', ',Scheduled,'),
  }),
  'TRUE and 1 for true, stamps of several forms, a status in one row alone': (bundle) => ({
    ...bundle,
    'users.csv':
      'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,givenName,familyName\r\n' +
      's,active,2017-04-05,TRUE,o,student,ada,Ada,Byron\r\nl,,2017-05-06 08:01:05,1,o,teacher,grace,Grace,Hopper\r\n',
  }),
  'lists with spaces and as JSON, userIds of every form, grades that are no numbers': (bundle) => ({
    ...bundle,
    'users.csv':
      'sourcedId,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,grades\r\n' +
      's,true,"o, o",student,ada,"{LDAP:12},{LTI:15}",Ada,Byron,"[""10""]"\r\n' +
      'l,true,"[""o""]",teacher,grace,local:12345,Grace,Hopper,K-12\r\n',
    'classes.csv':
      'sourcedId,title,courseSourcedId,classType,schoolSourcedId,termSourcedIds,subjects\r\n' +
      'k,Algebra 1,c,scheduled,o,"t, t","Science, Physics, Biology"\r\n',
  }),
  'a misspelt heading and agents before the family name': (bundle) => ({
    ...bundle,
    'users.csv':
      'sourcedId,enabledUser,orgSourcedIds,role,username,givenName,agentSourcedIds,familyName,prefferedGivenName\r\n' +
      's,true,o,student,ada,Ada,,Byron,A\r\nl,true,o,teacher,grace,Grace,,Hopper,G\r\n',
  }),
  'resourceSourcedIds as 1.2 of 2022 has it': (bundle) => ({
    ...bundle,
    'users.csv':
      'sourcedId,enabledUser,orgSourcedIds,role,username,givenName,familyName,userMasterIdentifier,resourceSourcedIds\r\n' +
      's,true,o,student,ada,Ada,Byron,m,\r\nl,true,o,teacher,grace,Grace,Hopper,n,\r\n',
  }),
  'blank lines and rows of empty cells': (bundle) => ({
    ...bundle,
    'users.csv': `${bundle['users.csv']}\r\n,,,,,,,,\r\n`,
  }),
}

for (const [quirk, change] of Object.entries(quirks)) {
  test(`import oneroster: a bundle with ${quirk} comes in whole`, async () => {
    const { errors, list } = await importBundle(change(plain))
    assert.deepEqual(errors, [])
    const users = await list('/users?sort=sourcedId')
    assert.deepEqual(
      users.map(({ sourcedId, roles }) => [sourcedId, roles[0].role]),
      [
        ['l', 'teacher'],
        ['s', 'student'],
      ],
    )
    assert.deepEqual(
      (await list('/classes/k/students')).map(({ sourcedId }) => sourcedId),
      ['s'],
    )
    const [taught] = await list('/classes')
    assert.deepEqual([taught.classType, taught.terms.length], ['scheduled', 1])
  })
}

test('import oneroster: a user whom the bundle calls inactive is there and may not log in', async () => {
  const { errors, list } = await importBundle({
    ...plain,
    'users.csv': (plain['users.csv'] ?? '').replace('s,,,true', 's,inactive,2023-05-01,TRUE'),
  })
  assert.deepEqual(errors, [])
  const [student] = await list("/users?filter=sourcedId='s'")
  assert.deepEqual([student.status, student.enabledUser], ['active', 'false'])
})

test('import oneroster: names with apostrophe, ampersand, brackets and slash come in as they are', async () => {
  const name = "St. Mary's School & College (Upper/Lower)"
  const { errors, list } = await importBundle({
    ...plain,
    'orgs.csv': `sourcedId,name,type,identifier\r\no,${name},school,1\r\n`,
  })
  assert.deepEqual([errors, (await list('/orgs'))[0].name], [[], name])
})

test('import oneroster: a reference to what the bundle lacks is a fault with its line, never a crash', async () => {
  for (const [file, text] of [
    ['classes.csv', (plain['classes.csv'] ?? '').replace(',c,', ',unknown,')],
    ['classes.csv', (plain['classes.csv'] ?? '').replace(',o,', ',unknown,')],
    ['courses.csv', (plain['courses.csv'] ?? '').replace('ALG,o', 'ALG,unknown')],
    ['users.csv', (plain['users.csv'] ?? '').replace(',o,teacher', ',unknown,teacher')],
    ['enrollments.csv', `${plain['enrollments.csv']}g,k,o,nobody,student\r\n`],
  ] as const) {
    const { errors, list } = await importBundle({ ...plain, [file]: text })
    const lines = text.trimEnd().split('\r\n').length
    assert.deepEqual([errors[0]?.file, errors[0]?.line, errors[0]?.code], [file, lines, 'reference_not_found'], file)
    assert.deepEqual(await list('/users'), [])
  }
})
