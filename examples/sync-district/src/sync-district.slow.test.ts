import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { startTestService, type TestTenant } from '../../../server/dist/testing/fixtures/test-service.js'
import { assertFields } from './testing/assert-fields.ts'
import { type CsvRow, copyOfDistrict, csvRows, district, edit } from './testing/files.ts'
import { type Ended, runProgram } from './testing/program.ts'
import { lastPosition, loadEvents, loadState, touched } from './testing/tenant-state.ts'

const service = await startTestService()
const term = '2021-2022 Fall Semester'

/** What a complete first sync leaves behind, and nothing more. */
const everyEvent = {
  'admission_application.created': 960,
  'admission_contact.linked': 1872,
  'billing_account.created': 960,
  'payment.created': 960,
  'student.created': 960,
}

interface Sync {
  readonly tenant: TestTenant
  /** Where the tenant's events stood before the first run. */
  readonly start: string
  run(folder?: string, onLine?: (line: string, program: ChildProcess) => void): Promise<Ended>
}

async function aSync(): Promise<Sync> {
  const tenant = await service.tenant()
  const { secret } = await tenant.token({ name: 'sync' })
  return {
    tenant,
    start: await lastPosition(service, tenant),
    run: (folder = district, onLine = () => {}) =>
      runProgram({
        args: ['--url', service.address, '--data', folder],
        environment: { MATRICULA_TOKEN: secret },
        onLine,
      }),
  }
}

/** Ends the program with a signal as soon as it tells that it has come so far. */
function endAt(line: string, signal: NodeJS.Signals) {
  return (reported: string, program: ChildProcess) => {
    if (reported === line) program.kill(signal)
  }
}

describe('a district that is synced to its end', () => {
  let sync: Sync
  let first: Ended
  before(async () => {
    sync = await aSync()
    first = await sync.run()
  })

  test('the first run makes every student, application, contact and payment of the files, once', async () => {
    assert.equal(first.code, 0, first.errors)
    assert.match(first.output, /students +960 created\napplications +960 created\n/)
    assert.match(first.output, /contacts +1872 linked\npayments +960 created\nEverything is in step\.\n/)
    assert.deepEqual(await loadEvents(service, sync.tenant, sync.start), everyEvent)
    const { students, applications, payments } = await loadState(sync.tenant)
    const rows = await csvRows(district, 'students.csv')
    const links = await csvRows(district, 'student_contacts.csv')
    const ids = rows.map((row) => row.student_id)
    assert.deepEqual([...students.keys()].sort(), ids.sort())
    assert.deepEqual([...applications.keys()].sort(), ids)
    assert.deepEqual(
      [...payments.keys()].sort(),
      ids.map((id) => `${id}:${term}`),
    )
    for (const id of ids as string[]) {
      const found = applications
        .get(id)
        .contacts.map((link: { metadata: object }) => (link.metadata as CsvRow).contactId)
      const wanted = links.filter((link) => link.student_id === id).map((link) => link.contact_id)
      assert.deepEqual(found.sort(), wanted.sort())
    }
    const people = [...applications.values()].flatMap(({ contacts }) => contacts.map((link: CsvRow) => link.contactId))
    assert.equal(new Set(people).size, 1872)
  })

  test('every field of a record is what the files say, and what they leave empty is empty', async () => {
    const { students, applications, payments } = await loadState(sync.tenant)
    const rows = await csvRows(district, 'students.csv')
    const links = await csvRows(district, 'student_contacts.csv')
    const people = new Map((await csvRows(district, 'contacts.csv')).map((row) => [row.contact_id, row]))
    // Beside every 97th: a suffix, a flag that is empty, an e-mail that is no address, three contacts.
    const chosen = rows.filter(
      ({ student_id: id }, index) => index % 97 === 0 || ['604830', '605502', '605125'].includes(id as string),
    )
    for (const row of chosen) {
      const id = row.student_id as string
      const student = students.get(id)
      const givenNames = [row.first_name, row.middle_name].filter(Boolean).join(' ')
      const names = {
        fullName: [givenNames, row.last_surname, row.generation_suffix].filter(Boolean).join(' '),
        givenNames,
        familyNames: row.last_surname,
      }
      assertFields(student, {
        ...names,
        preferredName: row.preferred_first_name || null,
        dateOfBirth: row.birth_date,
        status: 'active',
        email: null,
        phone: null,
        address: null,
        gender: null,
        customFields: {
          title: row.title,
          ...(row.generation_suffix !== '' && { generationSuffix: row.generation_suffix }),
        },
      })
      assertFields(applications.get(id), {
        ...names,
        studentId: student.id,
        status: 'new',
        academicYear: null,
        email: null,
      })
      assertFields(payments.get(`${id}:${term}`), {
        studentId: student.id,
        amount: 450,
        currency: 'USD',
        description: `Tuition, ${term}`,
        dueDate: '2021-08-23T00:00:00.000Z',
        status: 'pending',
      })
      for (const link of links.filter((candidate) => candidate.student_id === id)) {
        const person = people.get(link.contact_id) as CsvRow
        const found = applications
          .get(id)
          .contacts.find(({ metadata }: { metadata: CsvRow }) => metadata.contactId === link.contact_id)
        assertFields(found, {
          displayName: `${person.first_name} ${person.last_surname}`,
          phone: person.telephone,
          email: person.email?.includes(' ') ? null : person.email || null,
          role: 'family',
          relationshipLabel: link.relation,
          isPrimary: link.primary_contact === 'true',
          source: 'api',
          metadata: {
            contactId: link.contact_id,
            name: `${person.first_name} ${person.last_surname}`,
            phone: person.telephone,
            ...(person.email !== '' && { email: person.email }),
            ...(link.lives_with !== '' && { livesWith: link.lives_with === 'true' }),
            emergencyContact: link.emergency_contact === 'true',
            address: {
              street: person.street,
              city: person.city,
              state: person.state,
              postalCode: person.postal_code,
            },
          },
        })
      }
    }
  })

  test('an e-mail that is no address is told as a note and kept in the metadata, and stops nothing', async () => {
    assert.match(first.errors, /^note: contacts\.csv:506 not_an_address: the e-mail Mc Mahon@example1\.com /m)
    const { applications } = await loadState(sync.tenant)
    const links = (await csvRows(district, 'student_contacts.csv')).filter(({ contact_id: id }) => id === '778426')
    const found = applications
      .get(links[0]?.student_id as string)
      .contacts.find(({ metadata }: { metadata: CsvRow }) => metadata.contactId === '778426')
    assert.deepEqual([found.email, found.metadata.email], [null, 'Mc Mahon@example1.com'])
  })

  test('a second run changes nothing, no stamp and no event, and says so', async () => {
    const state = await loadState(sync.tenant)
    const position = await lastPosition(service, sync.tenant)
    const second = await sync.run()
    assert.equal(second.code, 0, second.errors)
    assert.match(second.output, /students +960 unchanged\napplications +960 unchanged\n/)
    assert.match(second.output, /contacts +1872 unchanged\npayments +960 unchanged\n/)
    assert.match(second.output, /^Nothing changed: everything was in step already\.$/m)
    assert.deepEqual(await loadEvents(service, sync.tenant, position), {})
    assert.deepEqual(await loadState(sync.tenant), state)
  })

  test('a run with some rows edited touches those and no other record', async () => {
    const state = await loadState(sync.tenant)
    const position = await lastPosition(service, sync.tenant)
    const folder = await copyOfDistrict()
    await edit(folder, 'students.csv', '604821,Mr,Tyrone,,Dyer,,Ty,', '604821,Mr,Tyrone,,Dyer,,Tyro,')
    await edit(folder, 'student_contacts.csv', '604821,779017,Father,false,true,true\n', '')
    await edit(folder, 'student_contacts.csv', '604822,778167,Mother,', '604822,778167,Stepmother,')
    const person = (await csvRows(folder, 'contacts.csv')).find(({ contact_id: id }) => id === '778791') as CsvRow
    await edit(folder, 'contacts.csv', person.telephone as string, '(950) 000 0000')
    await edit(folder, 'students.csv', '\n604825,', '\n999001,Ms,Ada,,Byron,,,2010-12-10\n604825,')
    await edit(folder, 'contacts.csv', '\n778167,', '\n999101,Anne,,Byron,Female,(950) 111 1111,,,,,\n778167,')
    await edit(folder, 'student_contacts.csv', '\n604822,778167', '\n999001,999101,Mother,true,true,\n604822,778167')
    const third = await sync.run(folder)
    assert.equal(third.code, 0, third.errors)
    assert.match(third.output, /students +1 created, 1 updated, 959 unchanged\n/)
    assert.match(third.output, /applications +1 created, 960 unchanged\n/)
    assert.match(third.output, /contacts +1 linked, 2 updated, 1 unlinked, 1869 unchanged\n/)
    assert.match(third.output, /payments +1 created, 960 unchanged\nEverything is in step\.\n/)
    assert.deepEqual(await loadEvents(service, sync.tenant, position), {
      'admission_application.created': 1,
      'admission_contact.linked': 1,
      'admission_contact.unlinked': 1,
      'admission_contact.updated': 2,
      'billing_account.created': 1,
      'payment.created': 1,
      'student.created': 1,
      'student.updated': 1,
    })
    const now = await loadState(sync.tenant)
    assert.deepEqual(touched(state.students, now.students), ['604821', '999001'])
    assert.deepEqual(touched(state.applications, now.applications), ['604821', '604822', '999001'])
    assert.deepEqual(touched(state.payments, now.payments), [`999001:${term}`])
    assert.equal(now.students.get('604821').preferredName, 'Tyro')
    assert.deepEqual(
      now.applications.get('604821').contacts.map((link: { metadata: CsvRow }) => link.metadata.contactId),
      ['778393'],
    )
    const links = now.applications.get('604822').contacts
    const labels = links.map(({ role, relationshipLabel }: CsvRow) => [role, relationshipLabel])
    assert.deepEqual(labels, [
      ['family', 'Stepmother'],
      ['family', 'Father'],
    ])
    // The Client API overwrites no number of a person; the new one stands in the metadata of the link.
    assert.deepEqual([links[1].phone, links[1].metadata.phone], [person.telephone, '(950) 000 0000'])
  })
})

test('a run that is killed, and one that is stopped with Ctrl-C, are gone on with; nothing is done twice', async () => {
  const { tenant, start, run } = await aSync()
  const killed = await run(district, endAt('applications 96 of 960', 'SIGKILL'))
  assert.equal(killed.signal, 'SIGKILL')
  const afterKill = await loadState(tenant)
  assert.equal(afterKill.students.size, 960)
  assert.ok(afterKill.applications.size >= 96 && afterKill.applications.size < 960)

  const stopped = await run(district, endAt('applications 480 of 960', 'SIGINT'))
  assert.equal(stopped.code, 130, stopped.errors)
  assert.match(stopped.output, /students +960 unchanged\napplications +\d+ created, \d+ unchanged, \d+ not reached\n/)
  assert.match(stopped.output, /payments +960 not reached\nStopped\. Run it again to go on: nothing is done twice\.\n/)
  assert.ok((await loadState(tenant)).applications.size < 960)

  const last = await run()
  assert.equal(last.code, 0, last.errors)
  assert.match(last.output, /^Everything is in step\.$/m)
  assert.deepEqual(await loadEvents(service, tenant, start), everyEvent)
  const { students, applications, payments } = await loadState(tenant)
  assert.deepEqual([students.size, applications.size, payments.size], [960, 960, 960])
  const links = await csvRows(district, 'student_contacts.csv')
  for (const [id, { contacts }] of applications) {
    assert.equal(contacts.length, links.filter((link) => link.student_id === id).length, id)
  }
})
