import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { FrappeApp } from 'frappe-js-sdk'
import { fileKey } from '../../storage/file-key.ts'
import { jpeg, png } from '../../storage/inspection/sample-files.fixture.ts'
import { aRecordCaller, aUser, pdf } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { cleanUpStoredFilesJob } from './index.ts'

const service = await startTestService()
const upload = '/api/method/upload_file'

const year = { academic_year_name: '2026-2027', year_start_date: '2026-08-01', year_end_date: '2027-06-30' }
const target = { doctype: 'Academic Year', docname: '2026-2027' }

/** A tenant with a record to attach files to. */
const settings = '/api/resource/Education Settings/Education Settings'

/** An institution in which files are public unless they are sent as private, as upstream has it. */
async function aSchool() {
  const tenant = await service.tenant()
  const api = await aRecordCaller(service, tenant)
  assert.equal((await api.post('/api/resource/Academic Year', year)).status, 200)
  assert.equal((await api.put(settings, { private_uploads: 0 })).status, 200)
  return { tenant, api }
}

const getGuest = ({ slug }: TestTenant) => new RecordCaller(`${service.address}/t/${slug}`)

function form(bytes: Uint8Array | null, fileName: string, fields: Record<string, string> = {}): FormData {
  const sent = new FormData()
  for (const [name, value] of Object.entries(fields)) sent.append(name, value)
  if (bytes !== null) sent.append('file', new Blob([bytes as never]), fileName)
  return sent
}

const sendFile = (api: RecordCaller, bytes: Uint8Array, fileName: string, fields: Record<string, string> = {}) =>
  api.send('POST', upload, form(bytes, fileName, fields))

async function bytesAt(caller: RecordCaller, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(caller.address + path, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const findStored = ({ id }: TestTenant) =>
  service.database.inspect<{ id: string; state: string; file_url: string | null }>(
    'select id, state, file_url from stored_files where tenant_id = $1 order by created_at, id',
    [id],
  )
const isStored = async (tenant: TestTenant, id: string) =>
  (await service.files.store.stat('frozen', fileKey(tenant.id, id))) !== null

test('frappe-js-sdk uploads a file, which becomes a record attached to another one and is downloaded as it was', async () => {
  const { tenant, api } = await aSchool()
  const { id, secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const app = new FrappeApp(`${service.address}/t/${tenant.slug}`, {
    useToken: true,
    token: () => `${id}:${secret}`,
    type: 'token',
  })
  const sent = new File([pdf as never], 'calendar.pdf', { type: 'application/pdf' })
  const { data } = await app.file().uploadFile(sent, {
    isPrivate: true,
    folder: 'Home/Attachments',
    doctype: 'Academic Year',
    docname: '2026-2027',
    fieldname: 'image',
  })
  const { message } = data as { message: Record<string, unknown> }
  const { name, file_url, content_hash, ...rest } = message
  assert.equal(file_url, '/private/files/calendar.pdf')
  assert.equal(content_hash, createHash('sha256').update(pdf).digest('hex'))
  const { creation: _, modified: __, ...facts } = rest
  assert.deepEqual(facts, {
    owner: 'Administrator',
    modified_by: 'Administrator',
    docstatus: 0,
    idx: 0,
    file_name: 'calendar.pdf',
    is_private: 1,
    file_size: pdf.length,
    file_type: 'application/pdf',
    folder: 'Home/Attachments',
    is_folder: 0,
    attached_to_doctype: 'Academic Year',
    attached_to_name: '2026-2027',
    attached_to_field: 'image',
    doctype: 'File',
  })
  const read = await app.db().getDoc('File', name as string)
  assert.equal(read.file_url, file_url)
  for (const address of [service.address, api.address]) {
    const got = await bytesAt(new RecordCaller(address), file_url as string, { authorization: `token ${id}:${secret}` })
    assert.equal(got.status, 200)
    assert.ok(got.bytes.equals(pdf))
    assert.equal(got.headers.get('content-type'), 'application/pdf')
    assert.equal(got.headers.get('x-content-type-options'), 'nosniff')
    assert.match(got.headers.get('content-security-policy') ?? '', /^sandbox/)
    assert.match(got.headers.get('content-disposition') ?? '', /^inline; filename="calendar.pdf"$/)
  }
  const [row] = await service.database.inspect<{ id: string }>('select id from files where tenant_id = $1', [tenant.id])
  const { audit, events } = await tenant.traces(row?.id as string)
  assert.deepEqual([audit, events], [['file.created'], ['file.created']])
})

test('an upload by version 2 answers under data; one by a key alone needs no tenant in its address', async () => {
  const { tenant } = await aSchool()
  const { secret } = await tenant.token({ kind: 'resource', roles: ['System Manager'] })
  const base = new RecordCaller(service.address, { authorization: secret })
  const { status, body } = await base.send('POST', '/api/v2/method/upload_file', form(png, 'logo.png', target))
  assert.deepEqual([status, body.data.file_url], [200, '/files/logo.png'])
})

test('attach_file takes text and base64; what is no base64 is 417', async () => {
  const { api } = await aSchool()
  const attach = (body: object) => api.post('/api/method/frappe.client.attach_file', { ...target, ...body })
  const asText = await attach({ filename: 'note.txt', filedata: 'Grüße', is_private: 1, docfield: 'notes' })
  assert.deepEqual(
    [asText.status, asText.body.message.file_size, asText.body.message.attached_to_field],
    [200, 7, 'notes'],
  )
  const encoded = { filename: 'scan.pdf', filedata: pdf.toString('base64'), decode_base64: 1 }
  const { body } = await attach(encoded)
  assert.deepEqual([body.message.file_url, body.message.file_size], ['/files/scan.pdf', pdf.length])
  const url = await attach({
    ...encoded,
    filename: 'b.pdf',
    filedata: `data:application/pdf;base64,${encoded.filedata}`,
  })
  assert.equal(url.body.message.file_size, pdf.length)
  const large = Buffer.alloc(2_000_002, 'ab')
  const lines = large.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const inLines = await attach({ ...encoded, filename: 'c.txt', filedata: `${lines}\n` })
  assert.equal(inLines.body.message.file_size, large.length)
  const served = await api.get(inLines.body.message.file_url)
  assert.ok(served.bytes.equals(large), 'what is decoded in pieces is the whole')
  for (const filedata of [
    '***',
    'YWI',
    'YW==YWFh',
    'YWFł',
    `${'YWFh'.repeat(300_000)}Y`,
    `YW==${'YWFh'.repeat(600_000)}`,
  ]) {
    const bad = await attach({ ...encoded, filedata })
    assert.deepEqual([bad.status, bad.body.exc_type], [417, 'ValidationError'], filedata.slice(0, 10))
  }
})

test('a file of another record is attached once more by its address or its record, to whoever may read it', async () => {
  const { tenant, api } = await aSchool()
  const first = (await sendFile(api, pdf, 'rules.pdf', { is_private: '1', ...target })).body.message
  const again = async (caller: RecordCaller, fields: Record<string, string>) => {
    const { status, body } = await caller.send('POST', upload, form(null, '', fields))
    return status === 200 ? body.message : [status, body.exc_type]
  }
  const byName = await again(api, { library_file_name: first.name, folder: 'Home/Rules', is_private: '0' })
  const byUrl = await again(api, { file_url: first.file_url, file_name: 'The rules.pdf' })
  for (const { name, file_url, is_private, file_size, content_hash } of [byName, byUrl]) {
    assert.notEqual(name, first.name)
    assert.deepEqual([file_url, is_private, file_size], [first.file_url, 1, pdf.length])
    assert.equal(content_hash, first.content_hash)
  }
  assert.deepEqual([byName.folder, byName.file_name], ['Home/Rules', 'rules.pdf'])
  assert.deepEqual([byUrl.folder, byUrl.file_name], ['Home', 'The rules.pdf'])
  const onTheWeb = await again(api, { file_url: 'https://example.org/a/map.png', ...target })
  assert.deepEqual([onTheWeb.file_name, onTheWeb.is_private], ['map.png', 0])
  assert.deepEqual(await again(api, { library_file_name: 'none' }), [404, 'DoesNotExistError'])
  const otherTenant = await aRecordCaller(service, tenant, ['Accounts User'])
  assert.deepEqual(await again(otherTenant, { library_file_name: first.name }), [403, 'PermissionError'])
  assert.deepEqual(await again(api, { file_url: first.file_url, method: 'ping' }), [417, 'ValidationError'])
})

test('a picture stays as it is, whatever a client says of its size', async () => {
  const { api } = await aSchool()
  const asked = { optimize: '1', max_width: '10', max_height: '10', file_name: 'portrait.png' }
  const { body } = await sendFile(api, png, 'IMG_0001.png', asked)
  assert.deepEqual([body.message.file_name, body.message.file_size], ['portrait.png', png.length])
  assert.ok((await bytesAt(api, body.message.file_url)).bytes.equals(png))
})

test('attach_file writes the address into the field that it names, and upload_file does not', async () => {
  const { tenant, api } = await aSchool()
  for (const [doctype, fields] of [
    ['Student', { first_name: 'Ada' }],
    ['Guardian', { guardian_name: 'Annabella' }],
  ] as const) {
    const path = `/api/resource/${doctype}`
    const { name } = (await api.post(path, fields)).body.data
    const at = { doctype, docname: name }
    await sendFile(api, png, 'portrait.png', { ...at, fieldname: 'image' })
    assert.equal((await api.get(`${path}/${name}`)).body.data.image ?? null, null)
    const attach = {
      ...at,
      filename: 'face.png',
      filedata: png.toString('base64'),
      decode_base64: 1,
      docfield: 'image',
    }
    const { body } = await api.post('/api/method/frappe.client.attach_file', attach)
    assert.equal((await api.get(`${path}/${name}`)).body.data.image, body.message.file_url)
  }
  const written = await service.database.inspect<{ type: string }>(
    `select e.type from events e
       join audit_entries a on a.tenant_id = e.tenant_id and a.entity_id = e.entity_id and a.action = e.type
      where e.tenant_id = $1 and e.type in ('student.updated', 'guardian.updated') order by e.position`,
    [tenant.id],
  )
  assert.deepEqual(
    written.map(({ type }) => type),
    ['student.updated', 'guardian.updated'],
  )
})

test('a student attaches files to nothing that others write, and uploads its own', async () => {
  const seededTenant = await seedTenant(service)
  const { tenant, resourceClient, students, group } = seededTenant
  const [ada, alan] = students
  const { email, password } = await aUser(service, tenant, { email: 'ada@example.org', roles: ['Student'] })
  await resourceClient.update('Student', ada, { user: email })
  const { cookies } = await getGuest(tenant).post('/api/method/login', { usr: email, pwd: password })
  const me = getGuest(tenant).with({ cookie: `sid=${cookies.get('sid')?.value}` })
  const attach = async (student: string) => {
    const attendance = await resourceClient.make('Student Attendance', {
      student,
      student_group: group,
      date: '2026-09-01',
    })
    const at = { doctype: 'Student Attendance', docname: attendance.name }
    const sent = [
      await sendFile(me, pdf, 'note.pdf', at),
      await me.post('/api/method/frappe.client.attach_file', { ...at, filename: 'note.txt', filedata: 'Flu' }),
    ]
    return sent.map(({ status }) => status)
  }
  assert.deepEqual(await attach(ada), [403, 403])
  assert.deepEqual(await attach(alan), [403, 403])
  assert.equal((await sendFile(me, pdf, 'note.pdf')).status, 200)
})

test('an upload without file, of an unknown target, without the right to write it or by a guest is refused and leaves nothing', async () => {
  const { tenant, api } = await aSchool()
  const refused = async (caller: RecordCaller, fields: Record<string, string>, bytes: Uint8Array | null = pdf) => {
    const { status, body } = await caller.send('POST', upload, form(bytes, 'a.pdf', fields))
    return [status, body.exc_type]
  }
  assert.deepEqual(await refused(api, {}, null), [417, 'FrappeTypeError'])
  assert.deepEqual(await refused(api, {}, Buffer.alloc(0)), [417, 'ValidationError'])
  assert.deepEqual(await refused(api, { ...target, docname: '1900' }), [404, 'DoesNotExistError'])
  assert.deepEqual(await refused(api, { ...target, doctype: 'Sales Invoice' }), [404, 'DoesNotExistError'])
  assert.deepEqual(await refused(api, { docname: '2026-2027' }), [417, 'FrappeTypeError'])
  assert.deepEqual(await refused(api, { ...target, file_url: '/files/none' }, null), [404, 'DoesNotExistError'])
  assert.deepEqual(await refused(await aRecordCaller(service, tenant, ['Instructor']), target), [
    403,
    'PermissionError',
  ])
  assert.deepEqual(await refused(getGuest(tenant), target), [403, 'PermissionError'])
  assert.deepEqual(await refused(getGuest(tenant), {}), [403, 'PermissionError'])
  const listed = await api.get('/api/resource/File')
  assert.deepEqual(listed.body.data, [])
  assert.deepEqual(await findStored(tenant), [])
})

test('a file that is refused leaves an audit row with its name and the reason, and no event', async () => {
  const { tenant, api } = await aSchool()
  assert.equal((await sendFile(api, Buffer.alloc(0), 'empty.pdf')).status, 417)
  const rows = await service.database.inspect<{ facts: object; actor: string }>(
    `select after as facts, actor_type as actor from audit_entries where tenant_id = $1 and action = 'file.refused'`,
    [tenant.id],
  )
  const detail = 'The file is empty. Choose another one.'
  const facts = { fileName: 'empty.pdf', sizeBytes: 0, code: 'ValidationError', detail }
  assert.deepEqual(rows, [{ facts, actor: 'api_key' }])
})

test('an upload that does not say whether it is private is private, unless the institution set otherwise or never set it', async () => {
  const tenant = await service.tenant()
  const api = await aRecordCaller(service, tenant)
  const attach = { filename: 'a.txt', filedata: 'text' }
  const urls = async () => [
    (await sendFile(api, pdf, 'silent.pdf')).body.message.file_url.split('/')[1],
    (await sendFile(api, pdf, 'said.pdf', { is_private: '0' })).body.message.file_url.split('/')[1],
    (await api.post('/api/method/frappe.client.attach_file', attach)).body.message.file_url.split('/')[1],
  ]
  assert.equal((await api.get(settings)).body.data.private_uploads, 1)
  assert.deepEqual(await urls(), ['private', 'files', 'private'])
  assert.equal((await getGuest(tenant).get('/private/files/silent.pdf')).status, 403)
  assert.equal((await api.put(settings, { private_uploads: 0 })).status, 200)
  assert.deepEqual(await urls(), ['files', 'files', 'files'])
  // An institution of an earlier version that never saved its settings.
  await service.database.inspect('delete from education_settings where tenant_id = $1', [tenant.id])
  assert.equal((await api.get(settings)).body.data.private_uploads, 0)
  assert.deepEqual(await urls(), ['files', 'files', 'files'])
})

test('a body of more than 25 MiB is 413', async () => {
  const { api } = await aSchool()
  const { status, body } = await sendFile(api, Buffer.alloc(25 * 1024 * 1024), 'large.bin')
  assert.deepEqual([status, body.exc_type], [413, 'RequestEntityTooLarge'])
  const fits = await sendFile(api, Buffer.alloc(25 * 1024 * 1024 - 2048, 7), 'large.bin')
  assert.deepEqual([fits.status, fits.body.message.file_size], [200, 25 * 1024 * 1024 - 2048])
})

test('a file is served as what it is, whatever its name says; what a browser might run is an attachment', async () => {
  const { api } = await aSchool()
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const cases: [string, Uint8Array, string, RegExp][] = [
    ['photo.png', html, 'text/html', /^attachment; filename="photo.png"$/],
    ['logo.jpg', svg, 'image/svg+xml', /^attachment/],
    ['page.html', png, 'image/png', /^inline/],
    ['unknown.pdf', Buffer.from([0, 1, 2, 3, 255]), 'application/octet-stream', /^attachment/],
  ]
  for (const [name, bytes, type, disposition] of cases) {
    const { body } = await sendFile(api, bytes, name)
    assert.equal(body.message.file_type, type)
    const got = await bytesAt(api, body.message.file_url)
    assert.deepEqual([name, got.status, got.headers.get('content-type')], [name, 200, type])
    assert.match(got.headers.get('content-disposition') ?? '', disposition)
    assert.equal(got.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('characters of paths and addresses in a name neither leave the folder nor break its address', async () => {
  const { api } = await aSchool()
  const names: [string, string][] = [
    ['../../etc/passwd', '/files/passwd'],
    ['C:\\temp\\a.txt', '/files/a.txt'],
    ['50% #1?.txt', '/files/50_ _1_.txt'],
    ['..', '/files/file'],
    ['Zeugnis für Åsa.txt', '/files/Zeugnis für Åsa.txt'],
    [`${'x'.repeat(300)}.txt`, `/files/${'x'.repeat(136)}.txt`],
  ]
  for (const [sent, url] of names) {
    const { status, body } = await api.post('/api/method/frappe.client.attach_file', {
      filename: sent,
      filedata: sent,
    })
    assert.deepEqual([status, body.message?.file_url], [200, url])
    const got = await bytesAt(api, encodeURI(url))
    assert.deepEqual([got.status, got.bytes.toString()], [200, sent])
  }
  for (const path of [
    '/files/../stored',
    '/files/..%2f..%2fetc%2fpasswd',
    '/files/',
    '/files/none',
    '/private/files/none',
  ]) {
    const { status } = await api.get(path)
    assert.equal(status, 404, path)
  }
})

test('two uploads of one name have two addresses', async () => {
  const { api } = await aSchool()
  const one = (await sendFile(api, pdf, 'a.pdf')).body.message
  const other = (await sendFile(api, png, 'a.pdf')).body.message
  assert.equal(one.file_url, '/files/a.pdf')
  assert.match(other.file_url, /^\/files\/a-[0-9a-f]{12}\.pdf$/)
  assert.equal(other.file_name, 'a.pdf')
  assert.ok((await bytesAt(api, one.file_url)).bytes.equals(pdf))
  assert.ok((await bytesAt(api, other.file_url)).bytes.equals(png))
  const at = await Promise.all([1, 2, 3, 4].map(() => sendFile(api, jpeg, 'b.jpg')))
  assert.equal(new Set(at.map(({ body }) => body.message.file_url)).size, 4)
})

test('a public file needs no credentials; a private one needs its owner or somebody who may read its record', async () => {
  const { tenant, api } = await aSchool()
  const open = (await sendFile(api, png, 'logo.png')).body.message
  const secret = (await sendFile(api, pdf, 'secret.pdf', { is_private: '1', ...target })).body.message
  const alone = (await sendFile(api, pdf, 'alone.pdf', { is_private: '1' })).body.message
  const guest = getGuest(tenant)
  assert.equal((await bytesAt(guest, open.file_url)).status, 200)
  assert.equal((await guest.get(`/api/method/download_file?file_url=${open.file_url}`)).status, 200)
  const rejected = await guest.get(secret.file_url)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'])
  assert.equal((await guest.get('/private/files/none.pdf')).status, 403)
  const staff = await aRecordCaller(service, tenant, ['Academics User'])
  assert.equal((await staff.get(secret.file_url)).status, 200)
  assert.equal((await staff.get(alone.file_url)).status, 403)
  const other = await aRecordCaller(service, tenant, ['Accounts User'])
  assert.equal((await other.get(secret.file_url)).status, 403)
  assert.equal((await other.get('/private/files/none.pdf')).status, 403)
  assert.equal((await api.get('/private/files/none.pdf')).status, 404)
  const theft = await staff.send('POST', upload, form(null, '', { ...target, file_url: alone.file_url }))
  assert.deepEqual([theft.status, theft.body.exc_type], [403, 'PermissionError'])
  const byMethod = await api.get(`/api/method/download_file?file_url=${secret.file_url}`)
  assert.deepEqual([byMethod.status, byMethod.headers.get('content-type')], [200, 'application/pdf'])
  const head = await api.send('HEAD', secret.file_url)
  assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, String(pdf.length), ''])
})

test('the address of another tenant’s file is 404', async () => {
  const [mine, other] = [await aSchool(), await aSchool()]
  const open = (await sendFile(other.api, png, 'theirs.png')).body.message
  const secret = (await sendFile(other.api, pdf, 'theirs.pdf', { is_private: '1' })).body.message
  for (const { file_url } of [open, secret]) {
    const { status, body } = await mine.api.get(file_url)
    assert.deepEqual([status, body.exc_type], [404, 'DoesNotExistError'])
    const linked = await mine.api.send('POST', upload, form(null, '', { file_url }))
    assert.equal(linked.status, 404)
  }
})

test('a user without a desk uploads pictures and documents, and no programs', async () => {
  const { tenant } = await aSchool()
  const { email, password } = await aUser(service, tenant, { roles: ['Student'] })
  const logIn = await getGuest(tenant).post('/api/method/login', { usr: email, pwd: password })
  const student = getGuest(tenant).with({ cookie: `sid=${logIn.cookies.get('sid')?.value}` })
  const own = await sendFile(student, pdf, 'essay.pdf', { is_private: '1' })
  assert.deepEqual([own.status, own.body.message.owner], [200, email])
  assert.equal((await student.get(own.body.message.file_url)).status, 200)
  const program = await sendFile(student, Buffer.from('#!/bin/sh\nexit'), 'essay.txt')
  assert.deepEqual([program.status, program.body.exc_type], [417, 'ValidationError'])
  const [stored, rejected] = await findStored(tenant)
  const { audit, events } = await tenant.traces(rejected?.id as string)
  assert.deepEqual([audit, events], [['file.refused'], []])
  assert.deepEqual([stored?.state, rejected?.state], ['kept', 'discarded'])
  assert.ok(!(await isStored(tenant, rejected?.id as string)))
})

test('a deleted file record takes its file with it, unless another record has it', async () => {
  const { tenant, api } = await aSchool()
  const one = (await sendFile(api, pdf, 'a.pdf', target)).body.message
  const two = (await api.send('POST', upload, form(null, '', { file_url: one.file_url }))).body.message
  assert.equal(two.content_hash, one.content_hash)
  const [stored] = await findStored(tenant)
  const id = stored?.id as string
  assert.equal((await api.delete(`/api/resource/File/${one.name}`)).status, 202)
  assert.equal((await api.get(one.file_url)).status, 200)
  assert.equal((await api.delete(`/api/resource/File/${two.name}`)).status, 202)
  assert.equal((await api.get(one.file_url)).status, 404)
  assert.ok(!(await isStored(tenant, id)))
  await cleanUpStoredFilesJob(service.files).run(service.data, tenant)
  assert.deepEqual(await findStored(tenant), [])
})

test('a deleted record takes its attached files with it; a renamed one keeps them', async () => {
  const { api } = await aSchool()
  const days = { term_start_date: '2026-08-01', term_end_date: '2026-12-20' }
  const term = { academic_year: '2026-2027', term_name: 'First', ...days }
  const { name } = (await api.post('/api/resource/Academic Term', term)).body.data
  const attached = (await sendFile(api, pdf, 'a.pdf', { doctype: 'Academic Term', docname: name })).body.message
  const rename = { doctype: 'Academic Term', old_name: name, new_name: 'Autumn' }
  assert.equal((await api.post('/api/method/frappe.client.rename_doc', rename)).status, 200)
  const read = await api.get(`/api/resource/File/${attached.name}`)
  assert.equal(read.body.data.attached_to_name, 'Autumn')
  assert.equal((await api.delete('/api/resource/Academic Term/Autumn')).status, 202)
  assert.equal((await api.get(`/api/resource/File/${attached.name}`)).status, 404)
  assert.equal((await api.get(attached.file_url)).status, 404)
})

test('the address of a file never changes; a file may be attached to something else', async () => {
  const { api } = await aSchool()
  const { name } = (await sendFile(api, pdf, 'a.pdf')).body.message
  const moved = await api.put(`/api/resource/File/${name}`, { is_private: 1 })
  assert.deepEqual([moved.status, moved.body.exc_type], [417, 'ValidationError'])
  const attached = { attached_to_doctype: 'Academic Year', attached_to_name: '2026-2027' }
  assert.equal((await api.put(`/api/resource/File/${name}`, attached)).status, 200)
})

test('a file is listed, read, changed, attached elsewhere and deleted by those alone who may do so with its record', async () => {
  const { tenant, resourceClient, students } = await seedTenant(service)
  const [ada] = students
  const api = await aRecordCaller(service, tenant)
  const invoice = (await resourceClient.make('Employee', { first_name: 'Grace' })).name
  const send = async (fields: Record<string, string>) =>
    (await sendFile(api, pdf, 'secret.pdf', { is_private: '1', ...fields })).body.message as Record<string, string>
  const ofNobody = await send({})
  const ofEmployee = await send({ doctype: 'Employee', docname: invoice })
  const ofStudent = await send({ doctype: 'Student', docname: ada })
  // An Academics User reads employees and does not write them.
  const { email, password } = await aUser(service, tenant, { roles: ['Academics User'] })
  const { cookies } = await getGuest(tenant).post('/api/method/login', { usr: email, pwd: password })
  const clerk = getGuest(tenant).with({ cookie: `sid=${cookies.get('sid')?.value}` })
  const named = async (caller: RecordCaller) =>
    (await caller.get('/api/resource/File?order_by=creation')).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await named(clerk), [ofEmployee.name, ofStudent.name])
  const steal = { attached_to_doctype: 'Student', attached_to_name: ada }
  const rejections = []
  for (const { name } of [ofNobody, ofEmployee, { name: 'no-such-file' }]) {
    const path = `/api/resource/File/${name}`
    rejections.push(
      await clerk.put(path, steal),
      await clerk.put(path, { folder: 'Home/Other' }),
      await clerk.put(`/api/v2/document/File/${name}`, steal),
      await clerk.post('/api/method/frappe.client.set_value', { doctype: 'File', name, fieldname: steal }),
      await clerk.post('/api/method/frappe.client.save', { doc: { ...ofNobody, doctype: 'File', name, ...steal } }),
      await clerk.delete(path),
      await clerk.post('/api/method/frappe.client.delete', { doctype: 'File', name }),
    )
    const bulk = await clerk.post('/api/method/frappe.client.bulk_update', {
      docs: [{ doctype: 'File', docname: name, ...steal }],
    })
    assert.match(bulk.body.message.failed_docs[0].exc, /PermissionError/)
  }
  for (const { name } of [ofNobody, { name: 'no-such-file' }]) {
    rejections.push(
      await clerk.get(`/api/resource/File/${name}`),
      await clerk.send('POST', upload, form(null, '', { library_file_name: name as string, ...target })),
    )
  }
  rejections.push(
    await clerk.get(ofNobody.file_url as string),
    await clerk.send('POST', upload, form(null, '', { file_url: ofNobody.file_url as string })),
    await clerk.send('POST', upload, form(null, '', { file_url: '/private/files/none.pdf' })),
    await clerk.post('/api/resource/File', { file_url: ofEmployee.file_url, ...steal }),
    // Neither is a file given away to what one may not write.
    await clerk.put(`/api/resource/File/${ofStudent.name}`, {
      attached_to_doctype: 'Employee',
      attached_to_name: invoice,
    }),
    await clerk.put(`/api/resource/File/${ofStudent.name}`, {
      attached_to_doctype: 'Employee',
      attached_to_name: 'no-such-employee',
    }),
  )
  assert.deepEqual(
    rejections.map(({ status, body }) => [status, body.exc_type ?? body.errors[0].type]),
    rejections.map(() => [403, 'PermissionError']),
  )
  assert.equal((await clerk.get(ofStudent.file_url as string)).status, 200)
  assert.equal((await clerk.put(`/api/resource/File/${ofStudent.name}`, { folder: 'Home/Other' })).status, 200)
  assert.equal((await clerk.delete(`/api/resource/File/${ofStudent.name}`)).status, 202)
  assert.deepEqual(await named(api), [ofNobody.name, ofEmployee.name])
})

test('the job removes files that no record was made of within a day, and no others', async () => {
  const { tenant, api } = await aSchool()
  await sendFile(api, pdf, 'kept.pdf')
  const [stored] = await findStored(tenant)
  const id = '0198a000-0000-7000-8000-000000000001'
  const key = fileKey(tenant.id, id)
  await service.files.store.write(
    key,
    (async function* () {
      yield pdf
    })(),
    { maxBytes: 1e6 },
  )
  await service.files.store.freeze(key)
  await service.database.inspect(
    `insert into stored_files (tenant_id, id, state, is_private) values ($1, $2, 'arriving', false)`,
    [tenant.id, id],
  )
  const sweep = () => cleanUpStoredFilesJob(service.files).run(service.data, tenant)
  await sweep()
  assert.ok(await isStored(tenant, id))
  await service.database.inspect(
    `update stored_files set created_at = now() - interval '2 days' where tenant_id = $1`,
    [tenant.id],
  )
  await sweep()
  assert.ok(!(await isStored(tenant, id)))
  assert.deepEqual(
    (await findStored(tenant)).map((row) => row.id),
    [stored?.id],
  )
  assert.ok(await isStored(tenant, stored?.id as string))
})
