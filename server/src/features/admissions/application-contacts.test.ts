import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loadStatements } from '../../testing/fixtures/database/count-statements.ts'
import { anApplication, aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const getContacts = (id: string) => `/admissions/applications/${id}/contacts`

test('linking a contact: 201 with the application, Location and ETag, one audit row and one event', async () => {
  const { api, traces } = await service.tenant()
  const application = await anApplication(api)
  const response = await api.post(getContacts(application.id), {
    displayName: 'Carmen Dyer',
    email: 'Carmen@example.org',
    phone: '(950) 342 7522',
    relationshipLabel: 'Mother',
    metadata: { livesWith: true },
  })
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('location'), `/v1/admissions/applications/${application.id}`)
  const { contacts, primaryContact, contactId, updatedAt } = response.body.data
  const { id, createdAt, ...link } = contacts[0]
  assert.deepEqual(link, {
    contactId,
    role: 'primary_contact',
    relationshipLabel: 'Mother',
    isPrimary: true,
    source: 'api',
    displayName: 'Carmen Dyer',
    email: 'Carmen@example.org',
    phone: '(950) 342 7522',
    metadata: { livesWith: true },
    updatedAt: createdAt,
  })
  assert.deepEqual(primaryContact, contacts[0])
  assert.ok(updatedAt > application.updatedAt)
  assert.deepEqual(await traces(id).then(({ audit, events }) => [audit, events]), [
    ['admission_contact.linked'],
    ['admission_contact.linked'],
  ])
  assert.deepEqual((await api.get(`/admissions/applications/${application.id}`)).body, response.body)
})

test('linking a contact: without any identity it is the applicant, once in each role', async () => {
  const { api } = await service.tenant()
  const application = await anApplication(api, { fullName: 'Ada Byron', phone: '+44 20 7946 0000' })
  const linked = await api.post(getContacts(application.id), {})
  const [link] = linked.body.data.contacts
  assert.deepEqual(
    [link.role, link.displayName, link.phone, link.isPrimary],
    ['applicant', 'Ada Byron', '+44 20 7946 0000', true],
  )
  const again = await api.post(getContacts(application.id), { email: '', displayName: null, contactId: null })
  assert.deepEqual([again.status, again.body.code, again.body.existingId], [409, 'already_exists', link.id])
  const billing = await api.post(getContacts(application.id), { role: 'billing' })
  assert.equal(billing.body.data.contacts[1].contactId, link.contactId)
})

test('linking a contact: a person is found by e-mail in any case, then by telephone in any format', async () => {
  const { api } = await service.tenant()
  const [one, two] = [await anApplication(api), await anApplication(api)]
  const first = await api.post(getContacts(one.id), {
    displayName: 'Carmen',
    email: 'Carmen@Example.org',
    phone: '+1 (950) 342-7522',
  })
  const { contactId } = first.body.data
  const byEmail = await api.post(getContacts(two.id), { email: 'carmen@example.ORG' })
  assert.equal(byEmail.body.data.contacts[0].contactId, contactId)
  const byPhone = await api.post(getContacts(two.id), {
    phone: '001 950 3427522',
    displayName: 'CÁRMEN Dyer',
    role: 'emergency',
  })
  assert.equal(byPhone.body.data.contacts[1].contactId, contactId)
  assert.equal(byPhone.body.data.contacts[1].displayName, 'Carmen')
})

test('linking a contact: fills missing members of the person, overwrites none, and updates records that show the person', async () => {
  const { api, traces } = await service.tenant()
  const [one, two] = [await anApplication(api), await anApplication(api)]
  const first = (await api.post(getContacts(one.id), { displayName: 'Carmen', email: 'c@example.org' })).body.data
  const before = await api.get(`/admissions/applications/${one.id}`)
  await api.post(getContacts(two.id), { displayName: 'Carmen Other', email: 'c@example.org', phone: '555' })
  const after = await api.get(`/admissions/applications/${one.id}`)
  const [link] = after.body.data.contacts
  assert.deepEqual([link.displayName, link.email, link.phone], ['Carmen', 'c@example.org', '555'])
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
  assert.ok(after.body.data.updatedAt > before.body.data.updatedAt)
  assert.deepEqual((await traces(first.contacts[0].id)).events, [
    'admission_contact.linked',
    'admission_contact.updated',
  ])
})

test('linking a contact: an unknown contactId, or one of another tenant, is rejected', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const application = await anApplication(ours.api)
  const foreign = await anApplication(theirs.api, { contacts: [{ displayName: 'Carmen' }] })
  for (const contactId of [randomUUID(), foreign.contactId]) {
    const rejected = await ours.api.post(getContacts(application.id), { contactId })
    assert.deepEqual([rejected.status, rejected.body.code], [422, 'reference_not_found'])
    assert.equal(rejected.body.errors[0].pointer, '#/contactId')
  }
})

test('primary contacts: at most one; setting one clears the other, with an event for each', async () => {
  const { api, traces } = await service.tenant()
  const { id, contacts } = await anApplication(api, {
    contacts: [{ displayName: 'Carmen' }, { displayName: 'Manuel' }],
  })
  assert.deepEqual(
    contacts.map(({ role, isPrimary }) => [role, isPrimary]),
    [
      ['primary_contact', true],
      ['other', false],
    ],
  )
  const [carmen, manuel] = contacts
  assert.ok(carmen && manuel)
  const changed = await api.patch(`${getContacts(id)}/${manuel.id}`, { isPrimary: true })
  assert.equal(changed.status, 200)
  assert.deepEqual(
    changed.body.data.contacts.map(({ isPrimary }: { isPrimary: boolean }) => isPrimary),
    [false, true],
  )
  assert.equal(changed.body.data.contactId, manuel.contactId)
  for (const link of [carmen, manuel]) {
    assert.deepEqual((await traces(link.id)).events, ['admission_contact.linked', 'admission_contact.updated'])
  }
})

test('primary contacts: concurrent requests leave one', async () => {
  const { api } = await service.tenant()
  const { id } = await anApplication(api)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      api.post(getContacts(id), { displayName: `Person ${index}`, isPrimary: true }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(8).fill(201),
  )
  const { contacts } = (await api.get(`/admissions/applications/${id}`)).body.data
  assert.equal(contacts.filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary).length, 1)
  assert.equal(contacts.length, 8)
})

test('linking a contact: concurrent requests for the same new person create one', async () => {
  const { api } = await service.tenant()
  const applications = await Promise.all(Array.from({ length: 6 }, () => anApplication(api)))
  const answers = await Promise.all(
    applications.map(({ id }) =>
      api.post(getContacts(id), { displayName: 'Carmen', email: 'c@example.org', phone: '555' }),
    ),
  )
  assert.equal(new Set(answers.map(({ body }) => body.data.contactId)).size, 1)
})

test('updating a contact link: metadata is merged, and equal values are no change', async () => {
  const { api, traces } = await service.tenant()
  const { id, contacts } = await anApplication(api, { contacts: [{ displayName: 'Carmen', metadata: { a: 1, b: 2 } }] })
  const link = contacts[0] as { id: string }
  const path = `${getContacts(id)}/${link.id}`
  const changed = await api.patch(path, { role: 'family', relationshipLabel: 'Mother', metadata: { a: null, c: 3 } })
  const [after] = changed.body.data.contacts
  assert.deepEqual([after.role, after.relationshipLabel, after.metadata], ['family', 'Mother', { b: 2, c: 3 }])
  const same = await api.patch(path, { ...after })
  assert.deepEqual([same.status, same.body, same.headers.get('etag')], [200, changed.body, changed.headers.get('etag')])
  const rejected = await api.patch(path, { displayName: 'Somebody else' })
  assert.deepEqual([rejected.status, rejected.body.errors[0].code], [400, 'read_only'])
  assert.deepEqual((await traces(link.id)).events, ['admission_contact.linked', 'admission_contact.updated'])
  const cleared = await api.patch(path, { relationshipLabel: null })
  assert.equal(cleared.body.data.contacts[0].relationshipLabel, null)
})

test('contact roles: a person has each role once, also after a change', async () => {
  const { api } = await service.tenant()
  const { id, contacts } = await anApplication(api, {
    contacts: [
      { displayName: 'Carmen', email: 'c@example.org', role: 'family' },
      { email: 'c@example.org', role: 'billing' },
    ],
  })
  const rejected = await api.patch(`${getContacts(id)}/${contacts[1]?.id}`, { role: 'family' })
  assert.deepEqual(
    [rejected.status, rejected.body.code, rejected.body.existingId],
    [409, 'already_exists', contacts[0]?.id],
  )
})

test('contacts of a new application: the number of statements does not grow with their number', async () => {
  const { api } = await service.tenant()
  const contacts = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ displayName: `Parent ${from + index} Dyer`, email: `p${from + index}@dyer.example`, role: 'family' },
      phone: `+44 20 7946 ${1000 + from + index}`,
    }))
  const statements = async (from: number, count: number) => {
    const sent = await loadStatements(async () => {
      const { contacts: linked } = await anApplication(api, { contacts: contacts(from, count) })
      assert.equal(linked.length, count)
    })
    return sent.length
  }
  await statements(0, 2)
  assert.equal(await statements(100, 50), await statements(200, 2))
  // People who are there already are locked and read again, by one statement each for all.
  assert.equal(await statements(100, 50), await statements(200, 2))
})

test('contacts of a new application: one who is repeated is one person with all that was sent; the last primary remains', async () => {
  const { api } = await service.tenant()
  const { contacts } = await anApplication(api, {
    fullName: 'Ada Byron',
    email: 'ada@byron.example',
    contacts: [
      { displayName: 'Ada Byron', email: 'ada@byron.example', role: 'applicant' },
      { phone: '+44 20 7946 0001', displayName: 'Carmen Dyer', role: 'family', isPrimary: true },
      {
        phone: '0044 20 79460001',
        displayName: 'Cármen Dyer',
        email: 'c@dyer.example',
        role: 'billing',
        isPrimary: true,
      },
      { email: 'C@Dyer.example', displayName: 'Carmen Dyer', role: 'emergency' },
      { role: 'other' },
    ],
  } as object)
  const [applicant, first, second, third, again] = contacts
  assert.deepEqual(
    contacts.map(({ role, isPrimary }) => [role, isPrimary]),
    [
      ['applicant', false],
      ['family', false],
      ['billing', true],
      ['emergency', false],
      ['other', false],
    ],
  )
  assert.deepEqual([second?.contactId, third?.contactId], [first?.contactId, first?.contactId])
  assert.equal(again?.contactId, applicant?.contactId)
  assert.deepEqual(
    [first?.displayName, first?.email, first?.phone],
    ['Carmen Dyer', 'c@dyer.example', '+44 20 7946 0001'],
  )
})

test('removing a contact link: returns the application; no other becomes primary; repeated it is 404', async () => {
  const { api, traces } = await service.tenant()
  const { id, contacts } = await anApplication(api, {
    contacts: [{ displayName: 'Carmen' }, { displayName: 'Manuel' }],
  })
  const path = `${getContacts(id)}/${contacts[0]?.id}`
  const removed = await api.delete(path)
  assert.equal(removed.status, 200)
  assert.deepEqual(
    [removed.body.data.contacts.length, removed.body.data.primaryContact, removed.body.data.contactId],
    [1, null, null],
  )
  assert.deepEqual((await traces(contacts[0]?.id as string)).events, [
    'admission_contact.linked',
    'admission_contact.unlinked',
  ])
  const again = await api.delete(path)
  assert.deepEqual([again.status, again.body.code], [404, 'resource_not_found'])
  const other = await anApplication(api)
  assert.equal((await api.delete(`${getContacts(other.id)}/${contacts[1]?.id}`)).status, 404)
})

test('contact operations: honour If-Match of the application', async () => {
  const { api } = await service.tenant()
  const { id } = await anApplication(api)
  const etag = (await api.get(`/admissions/applications/${id}`)).headers.get('etag') as string
  const linked = await api.post(getContacts(id), { displayName: 'Carmen' }, { 'if-match': etag })
  assert.equal(linked.status, 201)
  const link = linked.body.data.contacts[0].id
  const stale = await api.delete(`${getContacts(id)}/${link}`, { 'if-match': etag })
  assert.deepEqual([stale.status, stale.headers.get('etag')], [412, linked.headers.get('etag')])
})

test('contacts without a name: shown by e-mail address, else by telephone number', async () => {
  const { api } = await service.tenant()
  const { contacts } = await anApplication(api, {
    contacts: [
      { email: 'c@example.org', phone: '1' },
      { phone: '22', displayName: '' },
    ],
  })
  assert.deepEqual(
    contacts.map(({ displayName }) => displayName),
    ['c@example.org', '22'],
  )
  const student = await aStudent(api)
  assert.deepEqual(student.contacts, [])
})

/** Links each contact to its own application, in order, and returns the people. */
async function loadPeople(...contacts: readonly object[]): Promise<string[]> {
  const { api } = await service.tenant()
  const people: string[] = []
  for (const contact of contacts) {
    const { id } = await anApplication(api)
    const { status, body } = await api.post(getContacts(id), contact)
    assert.equal(status, 201)
    people.push(body.data.contacts[0].contactId)
  }
  return people
}

test('matching people: two parents with one telephone are two people, each with their own name', async () => {
  const { api } = await service.tenant()
  const { id } = await anApplication(api)
  const parents = [
    { displayName: 'Ana Lopez', phone: '950 555 0100', role: 'family' },
    { displayName: 'Luis Perez', phone: '950-555-0100', role: 'family' },
  ]
  for (const parent of parents) assert.equal((await api.post(getContacts(id), parent)).status, 201)
  const { contacts } = (await api.get(`/admissions/applications/${id}`)).body.data
  assert.deepEqual(
    contacts.map(({ displayName }: { displayName: string }) => displayName),
    ['Ana Lopez', 'Luis Perez'],
  )
  assert.notEqual(contacts[0].contactId, contacts[1].contactId)
  const again = await api.post(getContacts(id), parents[1] as object)
  assert.deepEqual([again.status, again.body.existingId], [409, contacts[1].id])
})

test('matching people: parents stay two people after a create and repeated upserts', async () => {
  const { api } = await service.tenant()
  const contacts = [
    { displayName: 'Ana Lopez', email: 'home@example.org', role: 'family' },
    { displayName: 'Luis Perez', email: 'home@example.org', role: 'family' },
  ]
  const made = await anApplication(api, { contacts })
  assert.equal(new Set(made.contacts.map(({ contactId }) => contactId)).size, 2)
  const path = '/admissions/applications/external/family-1'
  const sent = { fullName: 'Leo Perez Lopez', contacts }
  const first = await api.put(path, sent)
  const second = await api.put(path, sent)
  assert.deepEqual([first.status, second.status], [201, 200])
  assert.deepEqual(second.body, first.body)
  assert.deepEqual(
    first.body.data.contacts.map(({ contactId }: { contactId: string }) => contactId),
    made.contacts.map(({ contactId }) => contactId),
  )
})

test('matching people: an applicant with a parent’s address is not the parent', async () => {
  const { api } = await service.tenant()
  const { contacts } = await anApplication(api, {
    fullName: 'Leo Perez',
    email: 'ana@example.org',
    contacts: [{ displayName: 'Ana Lopez', email: 'ana@example.org' }, { role: 'applicant' }],
  })
  assert.deepEqual(
    contacts.map(({ displayName }) => displayName),
    ['Ana Lopez', 'Leo Perez'],
  )
})

const person = { displayName: 'María Núñez', email: 'maria@example.org', phone: '555 0101' }
for (const [what, sent, isSame] of [
  ['the same e-mail alone', { email: 'MARIA@example.org' }, true],
  ['the same e-mail, a like name and another telephone', { ...person, phone: '555 0199' }, true],
  ['the same e-mail and another name', { ...person, displayName: 'Ana Lopez' }, false],
  ['the same e-mail without a name and another telephone', { email: person.email, phone: '555 0199' }, false],
  ['the same telephone alone', { phone: '5550101' }, true],
  ['the same telephone and a like name', { phone: '5550101', displayName: 'nunez, MARIA' }, true],
  ['the same telephone and another name', { phone: '5550101', displayName: 'Ana Lopez' }, false],
  ['the same telephone, a like name and another e-mail', { ...person, email: 'm@example.org' }, false],
  ['the same telephone and another e-mail', { phone: '5550101', email: 'm@example.org' }, false],
  ['a name that repeats the e-mail', { email: person.email, displayName: person.email }, true],
] as const) {
  test(`matching people: ${what} is ${isSame ? 'the same person' : 'another person'}`, async () => {
    const [known, other] = await loadPeople(person, sent)
    assert.equal(known === other, isSame)
  })
}

test('matching people: a shared telephone without a name identifies nobody', async () => {
  const [ana, luis, unnamed, again, namedAgain] = await loadPeople(
    { displayName: 'Ana Lopez', phone: '555' },
    { displayName: 'Luis Perez', phone: '555' },
    { phone: '555' },
    { phone: '5 55' },
    { displayName: 'Perez Luis', phone: '555' },
  )
  assert.equal(new Set([ana, luis, unnamed]).size, 3)
  assert.deepEqual([again, namedAgain], [unnamed, luis])
})

test('matching people: a person with a log-in is found by telephone only with a similar name', async () => {
  const tenant = await service.tenant()
  const contact = { displayName: 'Ana Lopez', phone: '555' }
  const { contacts } = await anApplication(tenant.api, { contacts: [contact] })
  const user = await aUser(service, tenant, { roles: ['Guardian'] })
  await service.database.inspect('update contacts set user_name = $2 where tenant_id = $1', [tenant.id, user.email])
  const linked = async (sent: object) => (await anApplication(tenant.api, { contacts: [sent] })).contacts[0]?.contactId
  assert.notEqual(await linked({ phone: '555' }), contacts[0]?.contactId)
  assert.equal(await linked({ displayName: 'Lopez, Ana', phone: '555' }), contacts[0]?.contactId)
})

test('matching people: concurrent links of two names with one telephone make two people', async () => {
  const { api } = await service.tenant()
  const applications = await Promise.all(Array.from({ length: 8 }, () => anApplication(api)))
  const answers = await Promise.all(
    applications.map(({ id }, index) =>
      api.post(getContacts(id), { displayName: index % 2 === 0 ? 'Ana Lopez' : 'Luis Perez', phone: '555' }),
    ),
  )
  assert.equal(new Set(answers.map(({ body }) => body.data.contactId)).size, 2)
})
