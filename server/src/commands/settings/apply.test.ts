import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findFormStudent, findPublicForm } from '../../features/forms/index.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aCatalogue, anApplication, aStudent } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, run: matricula, json: jsonOf } = await loadCommandLine(service)
const json = (...args: string[]) => jsonOf(args)
const example = fileURLToPath(new URL('../../../../docs/examples/institution.yaml', import.meta.url))

let count = 0
async function aFile(text: string): Promise<string> {
  count += 1
  const file = join(folder, `institution-${count}.yaml`)
  await writeFile(file, text)
  return file
}

/** Applies a text to a tenant; returns the plan in words, one line for each setting. */
async function applied({ slug }: TestTenant, text: string): Promise<string[]> {
  const { plan } = await json('apply', await aFile(text), '--tenant', slug, '--yes')
  return plan.map(({ action, kind, key }: Record<string, string>) => `${action} ${kind} ${key}`)
}

/** What the command says of a file that it refuses, line by line. */
async function refused({ slug }: TestTenant, text: string): Promise<string[]> {
  const { code, stdout, stderr } = await matricula(['apply', await aFile(text), '--tenant', slug, '--yes'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.ok(!stderr.includes('    at '), stderr)
  return stderr.trimEnd().split('\n').slice(1)
}

async function trails(tenant: TestTenant) {
  return service.database.inspect<{ action: string; actor_type: string; actor_name: string }>(
    `select action, actor_type, actor_name from audit_entries
      where tenant_id = $1 and actor_name = 'command line' and action <> 'command.run'`,
    [tenant.id],
  )
}

test('the example file is planned first, then applied, and a second time changes nothing', async () => {
  const tenant = await service.tenant()
  const { api, slug } = tenant
  const dry = await matricula(['apply', example, '--tenant', slug])
  assert.equal(dry.code, 0, dry.stderr)
  assert.match(dry.stdout, /^change +document type transcript\n +maxSizeBytes 20971520 → 31457280\n/)
  assert.match(dry.stdout, /create +pipeline status waiting_list\n/)
  assert.match(dry.stdout, /allowedNext null → \["in_review","withdrawn"\]\n/)
  assert.match(dry.stdout, /Nothing was changed yet\. Add --yes/)
  assert.equal((await api.get('/forms/templates')).body.pagination.total, 0)
  assert.deepEqual(await trails(tenant), [])

  const first = await json('apply', example, '--tenant', slug, '--yes')
  assert.equal(first.applied, true)
  assert.equal(first.plan.length, 11)
  const types = (await api.get('/vault/document-types')).body.data
  const letter = types.find(({ key }: { key: string }) => key === 'recommendation_letter')
  assert.deepEqual([letter.position, letter.allowedMimeTypes, letter.maxSizeBytes], [9, ['application/pdf'], 20971520])
  const statuses = (await api.get('/admissions/pipeline/statuses')).body.data
  const waiting = statuses.find(({ key }: { key: string }) => key === 'waiting_list')
  assert.deepEqual([waiting.position, waiting.allowedNext], [9, ['accepted', 'rejected', 'withdrawn']])
  const profiles = (await api.get('/vault/requirement-profiles')).body.data
  assert.deepEqual(
    profiles[0].requirements.map(({ label, minFiles, isRequired }: Record<string, unknown>) => [
      label,
      minFiles,
      isRequired,
    ]),
    [
      ['Identity document', 1, true],
      ['Transcript of the last two years', 2, true],
      ['Letter of recommendation', 1, false],
    ],
  )
  const forms = (await api.get('/forms/templates')).body.data
  assert.deepEqual(
    forms.map(({ publicUrl }: { publicUrl: string }) => publicUrl),
    ['application', 'leave'].map((key) => `https://matricula.example/f/${slug}/${key}`),
  )
  const audit = await trails(tenant)
  assert.equal(audit.length, 11)
  assert.ok(audit.every(({ actor_type }) => actor_type === 'operator'))
  const events = await service.database.inspect<{ type: string }>(
    `select type from events where tenant_id = $1 and actor_name = 'command line' order by position`,
    [tenant.id],
  )
  assert.deepEqual(events.map(({ type }) => type).sort(), audit.map(({ action }) => action).sort())

  const again = await matricula(['apply', example, '--tenant', slug, '--yes'])
  assert.deepEqual([again.code, again.stdout], [0, 'Nothing to change.\n'])
  assert.deepEqual(await json('apply', example, '--tenant', slug, '--yes'), { plan: [], applied: false })
  assert.equal((await trails(tenant)).length, 11)
})

test('what a file does not name stays, and what it names differs in just what it says', async () => {
  const tenant = await service.tenant()
  const before = (await tenant.api.get('/vault/document-types')).body.data
  const text = 'documentTypes: [{ key: photo, maxSizeBytes: 1000, validityDays: 30 }]'
  const { plan } = await json('apply', await aFile(text), '--tenant', tenant.slug, '--yes')
  assert.deepEqual(plan, [
    {
      action: 'change',
      kind: 'documentTypes',
      key: 'photo',
      changes: [
        { path: 'maxSizeBytes', before: 20971520, after: 1000 },
        { path: 'validityDays', before: null, after: 30 },
      ],
    },
  ])
  const after = (await tenant.api.get('/vault/document-types')).body.data
  const expected = before.map((type: { key: string }) =>
    type.key === 'photo' ? { ...type, maxSizeBytes: 1000, validityDays: 30 } : type,
  )
  const withoutStamp = ({ updatedAt, ...type }: { updatedAt: string }) => type
  assert.deepEqual(after.map(withoutStamp), expected.map(withoutStamp))
})

test('taking out of use is told as such, and ends with the thing out of the lists', async () => {
  const tenant = await service.tenant()
  await applied(
    tenant,
    'formTemplates: [{ key: leave, name: Leave, status: published, isPublic: true, fields: [{ key: why, label: Why, type: text }] }]',
  )
  const text = `
documentTypes: [{ key: photo, isActive: false }]
formTemplates: [{ key: leave, status: archived }]`
  assert.deepEqual(await applied(tenant, text), ['deactivate documentTypes photo', 'deactivate formTemplates leave'])
  const types = (await tenant.api.get('/vault/document-types')).body.data
  assert.ok(types.every(({ key }: { key: string }) => key !== 'photo'))
  const [template] = (await tenant.api.get('/forms/templates')).body.data
  assert.deepEqual([template.status, template.publicUrl, template.version], ['archived', null, 1])
})

test('a changed question is told by its key, and is a new version of a published form', async () => {
  const tenant = await service.tenant()
  const form = (fields: string, name = 'Leave') =>
    `formTemplates: [{ key: leave, name: ${name}, status: published, fields: [${fields}] }]`
  await applied(tenant, form('{ key: why, label: Why, type: text }, { key: days, label: Days, type: number }'))
  const text = form('{ key: until, label: Until, type: date }, { key: why, label: Why exactly, type: text }', 'Absence')
  const { stdout } = await matricula(['apply', await aFile(text), '--tenant', tenant.slug, '--yes'])
  assert.match(stdout, /fields\.why\.label "Why" → "Why exactly"\n/)
  assert.match(stdout, /fields\.days removed\n/)
  assert.match(stdout, /fields\.until added\n/)
  const [template] = (await tenant.api.get('/forms/templates')).body.data
  assert.deepEqual([template.version, template.name], [2, 'Absence'])
  await applied(tenant, 'formTemplates: [{ key: leave, description: Tell us early. }]')
  assert.equal((await tenant.api.get('/forms/templates')).body.data[0].version, 2)
})

test('a profile names programs by name or code and excuses people by code; a requirement that goes on keeps its id', async () => {
  const tenant = await service.tenant()
  const { programId } = await aCatalogue(service, tenant)
  const student = await aStudent(tenant.api, { programId })
  const read = async () => (await tenant.api.get(`/vault/requirements?studentId=${student.id}`)).body.data.requirements
  const profile = (requirements: string) => `
requirementProfiles:
  - { key: everybody, name: Everybody, appliesTo: student, conditions: { programs: [Nursing] }, requirements: [${requirements}] }`
  const excused = `{ documentType: photo, waivedFor: [${student.studentCode}] }`
  assert.deepEqual(await applied(tenant, profile(`{ documentType: diploma }, ${excused}`)), [
    'create requirementProfiles everybody',
  ])
  const before = await read()
  assert.deepEqual(
    before.map(({ label, status }: Record<string, string>) => [label, status]),
    [
      ['Diploma', 'missing'],
      ['Photo', 'waived'],
    ],
  )
  assert.deepEqual(await applied(tenant, profile(`{ documentType: diploma }, ${excused}`)), [])
  await applied(tenant, profile('{ documentType: photo, label: Portrait }, { documentType: transcript }'))
  const after = await read()
  assert.deepEqual(
    after.map(({ label, status }: Record<string, string>) => [label, status]),
    [
      ['Portrait', 'waived'],
      ['Transcript of records', 'missing'],
    ],
  )
  assert.equal(after[0].requirementId, before[1].requirementId)
  const owner = { entityType: 'student', entityId: student.id }
  const asked = { ...owner, items: [{ requirementId: after[1].requirementId }] }
  const request = await tenant.api.post('/vault/requests', asked)
  assert.equal(request.status, 201, request.text)
  await applied(tenant, profile('{ documentType: photo, waivedFor: [] }'))
  const stored = await tenant.api.get(`/vault/requests/${request.body.data.id}`)
  assert.equal(stored.body.data.items[0].label, 'Transcript of records')
  assert.deepEqual(
    (await read()).map(({ status }: { status: string }) => status),
    ['missing'],
  )
})

test('the initial status moves when both are named; moves follow what the file allows', async () => {
  const tenant = await service.tenant()
  const text = `
pipelineStatuses:
  - { key: interview, isInitial: true, allowedNext: [accepted] }
  - { key: new, isInitial: false }`
  assert.deepEqual((await applied(tenant, text)).sort(), [
    'change pipelineStatuses interview',
    'change pipelineStatuses new',
  ])
  const application = await anApplication(tenant.api)
  assert.equal(application.status, 'interview')
  const move = await tenant.api.patch(`/admissions/applications/${application.id}`, { status: 'rejected' })
  assert.deepEqual([move.status, move.body.code], [409, 'transition_not_allowed'])
})

test('what contradicts the tenant or itself is told at once, by line, and nothing is applied', async () => {
  const tenant = await service.tenant()
  await anApplication(tenant.api)
  await applied(
    tenant,
    'requirementProfiles: [{ key: asks, name: Asks, appliesTo: student, requirements: [{ documentType: diploma }] }]',
  )
  const text = `documentTypes:
  - key: letter
  - { key: photo, isActive: false }
  - { key: photo, isActive: false }
  - { key: diploma, isActive: false }
pipelineStatuses:
  - { key: new, isActive: false, allowedNext: [nowhere] }
  - { key: interview, isInitial: true }
requirementProfiles:
  - key: profile
    name: Profile
    appliesTo: application
    conditions:
      programs: [Alchemy]
      statuses: [graduated]
    requirements:
      - documentType: photo
      - { documentType: papyrus, waivedFor: [EDU-APP-1999-00001] }
formTemplates:
  - key: form
    name: Form
    entityType: application
    fields:
      - { key: proof, label: Proof, type: file, validation: { documentTypeKey: photo } }
      - { key: scan, label: Scan, type: file, validation: { documentTypeKey: transcript, mediaTypes: [text/plain] } }
      - { key: why, label: Why, type: text, visibleWhen: { field: later, isSet: true } }
`
  const lines = await refused(tenant, text)
  for (const expected of [
    /line 2: documentTypes\[1\]\.name: is required, because there is no letter yet/,
    /line 4: documentTypes\[3\]\.key: photo appears twice/,
    /line 5: documentTypes\[4\]\.isActive: diploma is needed by requirement profile asks/,
    /line 7: pipelineStatuses\[1\]\.isActive: 1 applications are in new; move them/,
    /line 7: pipelineStatuses\[1\]\.allowedNext\[1\]: nowhere is no status of the pipeline; there are: new, /,
    /line 7: pipelineStatuses\[1\]: new, interview would all be initial/,
    /line 14: .*programs\[1\]: Alchemy is neither the name nor the code of a program/,
    /line 15: .*statuses\[1\]: graduated is no status of applications; there are: new, /,
    /line 17: .*documentType: photo is a document type that is out of use; there are: /,
    /line 18: .*documentType: papyrus is no document type/,
    /line 18: .*waivedFor\[1\]: EDU-APP-1999-00001 is the code of no application/,
    /line 24: .*documentTypeKey: photo is a document type that is out of use/,
    /line 25: .*mediaTypes: transcript takes none of these; it takes application\/pdf/,
    /line 26: .*visibleWhen\.field: later is not the key of an earlier question/,
    /line 20: formTemplates\[1\]\.mapping: an application needs a name/,
  ]) {
    assert.ok(
      lines.some((line) => expected.test(line)),
      `${expected} in\n${lines.join('\n')}`,
    )
  }
  assert.equal((await tenant.api.get('/forms/templates')).body.pagination.total, 0)
  assert.equal((await tenant.api.get('/vault/requirement-profiles')).body.pagination.total, 1)
})

const translated = `
documentTypes:
  - key: birth_certificate
    name: { es: Acta de nacimiento, en: Birth certificate, pt: Certidão }
requirementProfiles:
  - key: everybody
    name: Todos
    appliesTo: student
    requirements:
      - { documentType: birth_certificate, instructions: { es: Ambos lados., en: Both <b>sides</b>. }, minFiles: 2 }
      - { documentType: photo }
formTemplates:
  - key: leave
    name: { es: Permiso, en: Leave }
    description: { es: Pida con tiempo., en: Ask early. }
    status: published
    isPublic: true
    sections: [{ key: about, title: { es: Sobre usted, en: About you } }]
    fields:
      - key: why
        label: { es: ¿Por qué?, en: Why? }
        helpText: { es: En pocas palabras., en: In a few words. }
        type: select
        options: [{ value: health, label: { es: Salud, en: Health } }, { value: other, label: { es: Otro, en: Other } }]
        section: about
      - { key: note, label: Nota, type: text, section: about, visibleWhen: { field: why, equals: other } }
`

test('texts in several languages are shown in the page’s, else in the institution’s own, which the API tells', async () => {
  const tenant = await service.tenant({ language: 'es' })
  const { api, slug } = tenant
  assert.equal((await applied(tenant, translated)).length, 3)
  assert.deepEqual(await applied(tenant, translated), [])
  const types: { key: string; name: string }[] = (await api.get('/vault/document-types')).body.data
  assert.deepEqual(
    ['birth_certificate', 'photo'].map((key) => types.find((type) => type.key === key)?.name),
    ['Acta de nacimiento', 'Fotografía'],
  )
  const [template] = (await api.get('/forms/templates')).body.data
  assert.deepEqual(
    [
      template.name,
      template.sections[0].title,
      template.fields[0].label,
      template.fields[0].options[0],
      template.version,
    ],
    ['Permiso', 'Sobre usted', '¿Por qué?', { value: 'health', label: 'Salud' }, 1],
  )
  const read = async (address: string) =>
    (await fetch(address.replace('https://matricula.example', service.address))).text()
  const has = (html: string, ...texts: string[]) =>
    assert.deepEqual(
      texts.filter((text) => !html.includes(text)),
      [],
    )
  const form = template.publicUrl
  has(await read(`${form}?lang=en`), '<h2>Leave</h2>', 'Ask early.', 'About you', 'Why?', 'In a few words.', '>Other<')
  has(await read(`${form}?lang=en`), 'Answer only if “Why?” is Other.', '>Nota')
  has(await read(`${form}?lang=pt`), '<h2>Permiso</h2>', 'Pida con tiempo.', '¿Por qué?', '>Otro<')
  has(await read(form), '<html lang="es">')
  const student = await aStudent(api)
  const asked = { entityType: 'student', entityId: student.id, fromRequirements: true }
  const request = (await api.post('/vault/requests', asked)).body.data
  assert.deepEqual(
    [
      request.title,
      ...request.items.map(({ label, instructions }: Record<string, string>) => `${label}: ${instructions}`),
    ],
    [
      'Solicitud de documentos',
      'Acta de nacimiento (1/2): Ambos lados.',
      'Acta de nacimiento (2/2): Ambos lados.',
      'Fotografía: ',
    ],
  )
  has(
    await read(`${request.publicUrl}?lang=en`),
    'Birth certificate (2/2)',
    'Both &#60;b&#62;sides',
    'Document request',
    '>Photo<',
  )
  has(await read(`${request.publicUrl}?lang=pt`), 'Certidão (1/2)', 'Ambos lados.', '>Foto<')
  has(await read(request.publicUrl), '<html lang="es">', 'Acta de nacimiento (1/2)')
  const { plan } = await json(
    'apply',
    await aFile(translated.replace('en: Why?', 'en: What for?')),
    '--tenant',
    slug,
    '--yes',
  )
  assert.deepEqual(plan[0].changes, [
    { path: 'translations.fields.why.texts.label.en', before: 'Why?', after: 'What for?' },
  ])
  assert.equal((await api.get('/forms/templates')).body.data[0].version, 2)
  await applied(tenant, 'documentTypes: [{ key: birth_certificate, name: Acta }]')
  const again = (
    await api.post('/vault/requests', {
      ...asked,
      fromRequirements: false,
      documentTypeIds: [request.items[0].documentTypeId],
    })
  ).body.data
  has(await read(`${again.publicUrl}?lang=en`), '>Acta<')
})

test('a text without the institution’s own language, in one that no page has, or in none is refused by line', async () => {
  const tenant = await service.tenant()
  assert.deepEqual(await refused(tenant, 'documentTypes:\n  - { key: photo, name: { es: Foto } }'), [
    "  line 2: documentTypes[1].name: needs en, the language of the institution's own texts (matricula tenant update changes it)",
  ])
  const [unknown] = await refused(tenant, 'documentTypes:\n  - { key: photo, name: { en: Photo, qu: Rikchay } }')
  assert.match(unknown as string, /line 2: documentTypes\[1\]\.name\.qu: /)
  const [empty] = await refused(tenant, 'documentTypes:\n  - { key: photo, name: {} }')
  assert.match(empty as string, /line 2: documentTypes\[1\]\.name/)
  const [long] = await refused(tenant, `documentTypes:\n  - { key: photo, name: { en: ${'x'.repeat(256)} } }`)
  assert.match(long as string, /line 2: documentTypes\[1\]\.name\.en: .*255/)
})

test('two at once apply once', async () => {
  const tenant = await service.tenant()
  const file = await aFile('documentTypes: [{ key: letter, name: Letter }]')
  const outcomes = await Promise.all([1, 2].map(() => json('apply', file, '--tenant', tenant.slug, '--yes')))
  assert.deepEqual(outcomes.map(({ applied }) => applied).sort(), [false, true])
  assert.equal((await trails(tenant)).length, 1)
})

test('a form for students has a link for each of them', async () => {
  const tenant = await service.tenant()
  const { slug } = tenant
  const student = await aStudent(tenant.api)
  await matricula(['apply', example, '--tenant', slug, '--yes'])
  const environment = { SECRET_KEY: service.secretKey, PUBLIC_URL: 'https://matricula.example' }
  const args = ['--tenant', slug, '--student', student.studentCode]
  const { url } = await jsonOf(['form', 'link', 'leave', ...args], { environment })
  const [, token] = new RegExp(`^https://matricula\\.example/f/${slug}/leave/([A-Za-z0-9_-]+)$`).exec(url) ?? []
  const form = await findPublicForm(service.data, slug, 'leave')
  assert.ok(form)
  const found = await findFormStudent(service.data, service.secretKey, form, token ?? '')
  assert.deepEqual(found, { id: student.id, fullName: student.fullName })
  for (const rejected of [
    ['form', 'link', 'application', ...args],
    ['form', 'link', 'nothing', ...args],
    ['form', 'link', 'leave', '--tenant', slug, '--student', 'nobody'],
  ]) {
    const { code, stderr } = await matricula(rejected)
    assert.deepEqual([code, stderr.startsWith('matricula: There is no ')], [1, true], stderr)
  }
})

test('wrong usage or a file that is not there ends with 2, a tenant that is not there with 1', async () => {
  const { slug } = await service.tenant()
  const file = await aFile('documentTypes: []')
  for (const [argv, expected] of [
    [['apply', file], 2],
    [['apply', '/no/such/file', '--tenant', slug], 2],
    [['apply', file, '--tenant', 'nobody'], 1],
    [['apply', '--help'], 0],
  ] as const) {
    const { code, stderr } = await matricula([...argv])
    assert.deepEqual([argv.join(' '), code], [argv.join(' '), expected], stderr)
  }
})

const houses = `
customFields:
  - recordType: Student
    name: house
    label: House
    type: Select
    options: [Red, Blue]
  - { recordType: Payment, name: receipt, type: Data, unique: true }
  - { recordType: Room, name: used_by, type: Link, linksTo: Program }
`

test('whether disclosures are recorded and how long they are kept is as the file says, and the audit tells the change', async () => {
  const tenant = await service.tenant()
  const file = `
disclosures:
  enabled: false
  keepYears: 5
`
  const { stdout } = await matricula(['apply', await aFile(file), '--tenant', tenant.slug])
  assert.match(stdout, /change +record of disclosures of the institution\n/)
  assert.deepEqual(await applied(tenant, file), ['change disclosures of the institution'])
  assert.deepEqual(await applied(tenant, file), [])
  assert.deepEqual(
    (await trails(tenant)).map(({ action }) => action),
    ['tenant.disclosures_changed'],
  )
  const wrong = 'disclosures: { keepYears: 0 }'
  assert.match((await refused(tenant, wrong)).join('\n'), /line 1: disclosures.keepYears/)
})

test('what is taken from roles, and how long the staff stay logged in, are planned and applied by the file, and never more than there is', async () => {
  const tenant = await service.tenant()
  const file = `
roles:
  - role: Accounts User
    takenScopes: [payments:write]
    takenRights: { Fees: [delete, create] }
sessions:
  idleMinutes: 60
`
  const { stdout } = await matricula(['apply', await aFile(file), '--tenant', tenant.slug])
  assert.match(
    stdout,
    /change +role Accounts User\n +takenScopes \[\] → \["payments:write"\]\n +takenRights.Fees added/,
  )
  assert.match(stdout, /change +sessions of the staff\n +idleMinutes 720 → 60\n/)
  assert.deepEqual(await applied(tenant, file), ['change roles Accounts User', 'change sessions of the staff'])
  assert.deepEqual(await applied(tenant, file), [])
  assert.deepEqual((await trails(tenant)).map(({ action }) => action).sort(), [
    'role.updated',
    'session_settings.updated',
  ])
  const [stored] = await service.database.inspect(
    'select role_limits, idle_minutes from tenants t join session_settings s on s.tenant_id = t.id where t.id = $1',
    [tenant.id],
  )
  const limits = { 'Accounts User': { scopes: ['payments:write'], records: { Fees: ['create', 'delete'] } } }
  assert.deepEqual(stored, { role_limits: limits, idle_minutes: 60 })
  const wrong = `
roles:
  - role: Instructor
    takenScopes: [vault:read]
  - role: System Manager
  - role: Wizard
  - role: Wizard
sessions: { idleMinutes: 2 }
`
  assert.match((await refused(tenant, wrong)).join('\n'), /line 8: sessions.idleMinutes/)
  const lines = await refused(tenant, wrong.replace(/sessions.*/, ''))
  assert.deepEqual(
    lines.map((line) => line.slice(0, line.indexOf(':', 10))),
    ['  line 3: roles[1].role', '  line 5: roles[2].role', '  line 6: roles[3].role', '  line 7: roles[4].role'],
  )
  assert.deepEqual(await applied(tenant, 'roles: [{ role: Accounts User, takenScopes: [], takenRights: {} }]'), [
    'change roles Accounts User',
  ])
})

test('custom fields are planned, made and changed by the file, and a second time changes nothing', async () => {
  const tenant = await service.tenant()
  const dry = await matricula(['apply', await aFile(houses), '--tenant', tenant.slug])
  assert.match(dry.stdout, /create +custom field Student\.house\n/)
  assert.deepEqual(await trails(tenant), [])
  assert.deepEqual(await applied(tenant, houses), [
    'create customFields Student.house',
    'create customFields Payment.receipt',
    'create customFields Room.used_by',
  ])
  assert.deepEqual(
    (await trails(tenant)).map(({ action }) => action),
    ['custom_field.created', 'custom_field.created', 'custom_field.created'],
  )
  assert.deepEqual(await applied(tenant, houses), [])
  assert.deepEqual(await applied(tenant, houses.replace('[Red, Blue]', '[Red, Green]')), [
    'change customFields Student.house',
  ])
  const options = async () => (await tenant.api.get('/me')).body.data.customFields.students[0]?.options
  await until(async () => (await options())[1] === 'Green', 'the changed options')
  const student = await aStudent(tenant.api, { customFields: { house: 'Green' } })
  assert.deepEqual(student.customFields, { house: 'Green' })
  const [line, ...others] = await refused(tenant, houses)
  assert.match(line as string, /line 4: customFields\[1\]\.name: 1 records have a value under house .* such as "Green"/)
  assert.deepEqual(others, [])
})

test('what is wrong with custom fields is told with its line, five hundred of them once, and nothing is made', async () => {
  const tenant = await service.tenant()
  const faulty = `
customFields:
  - { recordType: Student, name: first_name, type: Data }
  - { recordType: Student, name: "x; drop", type: Data }
  - { recordType: Nothing, name: floor, type: Int }
  - { recordType: Room, name: floor }
  - { recordType: Room, name: wing, type: Table }
`
  const shape = await refused(tenant, faulty)
  assert.deepEqual(
    shape.map((line) => /line (\d+)/.exec(line)?.[1]),
    ['4', '7'],
  )
  const meant = await refused(tenant, faulty.replace('"x; drop"', 'constructor').replace('Table', 'Check'))
  assert.deepEqual(
    meant.map((line) => /line (\d+)/.exec(line)?.[1]),
    ['3', '4', '5', '6'],
  )
  const many = Array.from({ length: 500 }, (_, index) => `  - { recordType: Student, name: f${index}, type: Data }`)
  const tooMany = await refused(tenant, `customFields:\n${many.join('\n')}`)
  assert.equal(tooMany.length, 1)
  assert.match(tooMany[0] as string, /line 2: .*Student would have 500 custom fields; it takes at most 100/)
  assert.deepEqual(await trails(tenant), [])
})

test('issuers are planned and applied by the file; their secret is told to nobody and stays where the file has none', async () => {
  const tenant = await service.tenant()
  const file = `
issuers:
  - key: google
    name: Google
    issuer: https://accounts.google.com
    clientId: school
    clientSecret: very-secret-indeed
`
  const { stdout } = await matricula(['apply', await aFile(file), '--tenant', tenant.slug, '--yes'])
  assert.match(stdout, /create +issuer google/)
  assert.deepEqual(await applied(tenant, file), [])
  assert.deepEqual(await applied(tenant, file.replace(/ +clientSecret.*\n/, '')), [])
  assert.deepEqual(await applied(tenant, file.replace('very-secret-indeed', 'another-secret')), [
    'change issuers google',
  ])
  assert.deepEqual(await applied(tenant, `${file.replace(/ +clientSecret.*\n/, '')}    isActive: false`), [
    'deactivate issuers google',
  ])
  const rows = await service.database.inspect<{ text: string }>(
    `select to_jsonb(i)::text as text from issuers i where tenant_id = $1
      union all select to_jsonb(a)::text from audit_entries a where tenant_id = $1
      union all select to_jsonb(e)::text from events e where tenant_id = $1`,
    [tenant.id],
  )
  assert.ok(rows.length > 5 && !/very-secret-indeed|another-secret/.test(JSON.stringify([rows, stdout])))
  const wrong = `
issuers:
  - { key: ms, name: M, issuer: https://login.microsoftonline.com/common/v2.0, clientId: a, clientSecret: b }
  - { key: new, name: N, issuer: https://issuer.example, clientId: a }
  - { key: open, name: O, issuer: https://issuer.example, clientId: a, clientSecret: b, createsUsers: true }
  - { key: trust, name: T, issuer: https://issuer.example, clientId: a, clientSecret: b, trustsAddresses: true }
  - { key: braces, name: B, issuer: 'https://sts.example/{tenantid}/v2.0', clientId: a, clientSecret: b }
  - { key: sts, name: S, issuer: https://sts.windows.net/common/, clientId: a, clientSecret: b }
  - { key: named, name: N, issuer: https://login.microsoftonline.com/school.example/v2.0, clientId: a, clientSecret: b }
  - { key: role, name: R, issuer: https://issuer.example, clientId: a, clientSecret: b, newUserRoles: [Wizard] }
`
  const lines = await refused(tenant, wrong)
  assert.equal(lines.length, 8)
  for (const [index, argv] of [
    'own directory',
    'clientSecret is missing',
    'domains must say',
    'trustsAddresses',
    'in braces',
    'own directory by its id',
    'own directory by its id',
    'Wizard',
  ].entries()) {
    assert.ok(lines[index]?.includes(argv), lines[index])
  }
})

test('what is required of roles is planned and applied by the file, given back by an empty list, and never what nobody could show', async () => {
  const tenant = await service.tenant()
  const file = `
requiredFactors:
  - { role: Accounts User, anyOf: [passkey, code] }
`
  const { stdout } = await matricula(['apply', await aFile(file), '--tenant', tenant.slug, '--yes'])
  assert.match(stdout, /change +required factors of Accounts User/)
  assert.deepEqual(await applied(tenant, file.replace('passkey, code', 'code, passkey')), [])
  assert.deepEqual(await applied(tenant, file.replace('passkey, code', '')), ['change requiredFactors Accounts User'])
  assert.deepEqual(await applied(tenant, file.replace('passkey, code', '')), [])
  const [{ action } = { action: '' }] = await service.database.inspect<{ action: string }>(
    `select action from audit_entries where tenant_id = $1 and action like 'required_factors%' limit 1`,
    [tenant.id],
  )
  assert.equal(action, 'required_factors.updated')
  const lines = await refused(
    tenant,
    `
requiredFactors:
  - { role: Wizard, anyOf: [code] }
  - { role: Student, anyOf: [issuer] }
  - { role: Guardian, anyOf: [code] }
  - { role: Guardian, anyOf: [passkey] }
  - { role: Guest, anyOf: [code] }
`,
  )
  for (const [index, argv] of [
    'is no role',
    'declare it under issuers first',
    'appears twice',
    'nobody logs in as Guest',
  ].entries()) {
    assert.ok(lines[index]?.includes(argv), lines[index])
  }
  assert.equal((await refused(tenant, file.replace('passkey', 'smoke'))).length, 1)
})
