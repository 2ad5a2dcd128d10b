import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logIn, PasswordHasher } from '../../identity/users/index.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { movedBack } from '../../testing/fixtures/database/test-database.ts'
import { aStudent, aUser } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { run, json } = await loadCommandLine(service)
const passwords = new PasswordHasher()

const create = (slug: string, email: string, ...more: string[]) => [
  'user',
  'create',
  '--tenant',
  slug,
  '--email',
  email,
  '--name',
  'Ada King Byron',
  ...more,
]

const logsIn = (tenant: TestTenant, user: string, password: string) =>
  logIn(
    { database: service.data, passwords },
    { tenant, requestId: null, address: '192.0.2.1', agent: null },
    { user, password },
  )

test('a user is made with roles and a password that is shown once, logs in with it, and is listed without it', async () => {
  const tenant = await service.tenant()
  const made = await json(create(tenant.slug, 'Ada@School.example', '--roles', 'Academics User,Student'))
  assert.equal(made.password.length, 20)
  assert.deepEqual(
    [made.user.email, made.user.fullName, made.user.enabled, made.user.userType, made.user.roles],
    ['ada@school.example', 'Ada King Byron', true, 'System User', ['Academics User', 'Student']],
  )
  const outcome = await logsIn(tenant, 'ADA@school.example', made.password)
  assert.ok('session' in outcome)
  assert.equal(outcome.session.fullName, 'Ada King Byron')
  const { users } = await json(['user', 'list', '--tenant', tenant.slug])
  assert.equal(users.length, 1)
  assert.ok(users[0].lastLogin !== null && !JSON.stringify(users).includes(made.password))
  const traces = await tenant.traces(made.user.id)
  assert.deepEqual([traces.audit, traces.events], [['user.created', 'user.logged_in'], ['user.created']])
  const audit = await service.database.inspect('select * from audit_entries where entity_id = $1', [made.user.id])
  assert.ok(!/argon2|password_hash/.test(JSON.stringify(audit)))
  const [row] = await service.database.inspect<{ password_hash: string; names: string[] }>(
    `select password_hash, array[first_name, last_name] as names from users where tenant_id = $1`,
    [tenant.id],
  )
  assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  assert.deepEqual(row?.names, ['Ada', 'King Byron'])
})

test('a password from standard input is taken and not shown; a short one is refused', async () => {
  const tenant = await service.tenant()
  const args = create(tenant.slug, 'a@b.example', '--password-stdin')
  const made = await json(args, { input: 'correct horse battery staple\n' })
  assert.deepEqual([made.password, made.user.userType], [undefined, 'Website User'])
  assert.ok('session' in (await logsIn(tenant, 'a@b.example', 'correct horse battery staple')))
  const short = await run(create(tenant.slug, 'c@d.example', '--password-stdin'), { input: 'short\n' })
  assert.deepEqual([short.code, short.stderr.includes('10 to 1024 characters')], [2, true])
})

test('a new password ends the sessions and the old password; the change is an event without either', async () => {
  const tenant = await service.tenant()
  const { user, password } = await json(create(tenant.slug, 'a@b.example'))
  assert.ok('session' in (await logsIn(tenant, 'a@b.example', password)))
  const changed = await json(['user', 'password', 'a@b.example', '--tenant', tenant.slug])
  assert.notEqual(changed.password, password)
  const sessions = await service.database.inspect('select 1 from sessions where tenant_id = $1', [tenant.id])
  assert.equal(sessions.length, 0)
  assert.deepEqual(await logsIn(tenant, 'a@b.example', password), { refused: 'wrong' })
  assert.ok('session' in (await logsIn(tenant, 'a@b.example', changed.password)))
  const { events, changed: fields } = await tenant.traces(user.id)
  assert.deepEqual([events[1], fields[1]], ['user.updated', ['passwordChangedAt']])
})

test('a disabled user cannot log in, and can once enabled; doing either twice changes nothing', async () => {
  const tenant = await service.tenant()
  const { user, password } = await json(create(tenant.slug, 'a@b.example'))
  const disable = ['user', 'disable', 'a@b.example', '--tenant', tenant.slug]
  assert.equal((await json(disable)).user.enabled, false)
  await json(disable)
  assert.deepEqual(await logsIn(tenant, 'a@b.example', password), { refused: 'disabled' })
  assert.deepEqual(await logsIn(tenant, 'a@b.example', 'not the password'), { refused: 'wrong' })
  assert.equal((await json(['user', 'enable', 'a@b.example', '--tenant', tenant.slug])).user.enabled, true)
  assert.ok('session' in (await logsIn(tenant, 'a@b.example', password)))
  assert.deepEqual((await tenant.traces(user.id)).events, ['user.created', 'user.updated', 'user.updated'])
})

test('after ten failures of a user from an address every log-in of theirs from there waits, also many at once', async () => {
  const tenant = await service.tenant()
  const { password } = await json(create(tenant.slug, 'a@b.example'))
  const attempts = await Promise.all(Array.from({ length: 14 }, () => logsIn(tenant, 'a@b.example', 'wrong')))
  assert.equal(attempts.filter((outcome) => 'refused' in outcome).length, 10)
  const paused = await logsIn(tenant, 'a@b.example', password)
  assert.ok('retryAfterSeconds' in paused && paused.retryAfterSeconds <= 60)
  const elsewhere = { tenant, requestId: null, address: '192.0.2.2', agent: null }
  assert.ok(
    'session' in (await logIn({ database: service.data, passwords }, elsewhere, { user: 'a@b.example', password })),
  )
  await service.database.inspect(`update attempt_counts set ${movedBack('counted_at', '61 s')} where tenant_id = $1`, [
    tenant.id,
  ])
  assert.ok('session' in (await logsIn(tenant, 'a@b.example', password)))
})

test('every tenant starts with the roles; own ones are made, granted, revoked and deleted, with audit and events', async () => {
  const tenant = await service.tenant()
  const on = ['--tenant', tenant.slug]
  const { user } = await json(create(tenant.slug, 'a@b.example'))
  const { roles } = await json(['role', 'list', ...on])
  assert.deepEqual(
    roles.map(({ name }: { name: string }) => name),
    [
      'Academics User',
      'Accounts Manager',
      'Accounts User',
      'Administrator',
      'Admissions Officer',
      'All',
      'Desk User',
      'Education Manager',
      'Guardian',
      'Guest',
      'Instructor',
      'Student',
      'System Manager',
    ],
  )
  const { role } = await json(['role', 'create', 'Librarian', ...on])
  assert.deepEqual([role.deskAccess, role.isCustom], [true, true])
  const granted = await json(['role', 'grant', 'a@b.example', 'Librarian', 'Student', ...on])
  assert.deepEqual([granted.user.roles, granted.user.userType], [['Librarian', 'Student'], 'System User'])
  await json(['role', 'grant', 'a@b.example', 'Student', ...on])
  const held = await run(['role', 'delete', 'Librarian', ...on])
  assert.deepEqual([held.code, held.stderr.includes('Revoke it first')], [1, true])
  const revoked = await json(['role', 'revoke', 'a@b.example', 'Librarian', ...on])
  assert.deepEqual([revoked.user.roles, revoked.user.userType], [['Student'], 'Website User'])
  await json(['role', 'delete', 'Librarian', ...on])
  const { audit, events } = await tenant.traces(role.id)
  assert.deepEqual(
    [audit, events],
    [
      ['role.created', 'role.deleted'],
      ['role.created', 'role.deleted'],
    ],
  )
  assert.deepEqual((await tenant.traces(user.id)).events, ['user.created', 'user.updated', 'user.updated'])
})

test('a user who is invited is mailed a link, and again when asked again; where no mail is sent that is refused', async () => {
  const tenant = await service.tenant()
  const args = create(tenant.slug, 'ada@school.example', '--roles', 'Student').with(1, 'invite')
  const silent = await run([...args, '--json'], { environment: { SMTP_URL: '', MAIL_FROM: '' } })
  assert.deepEqual([silent.code, JSON.parse(silent.stdout).error.code], [1, 'state_conflict'])
  const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Office <office@school.example>' }
  const { user, password } = await json(args, { environment })
  assert.deepEqual([user.email, user.roles, password], ['ada@school.example', ['Student'], undefined])
  await json(args, { environment })
  const mails = await service.database.inspect<{ kind: string }>(
    'select kind from outgoing_mails where tenant_id = $1',
    [tenant.id],
  )
  assert.deepEqual(
    mails.map(({ kind }) => kind),
    ['welcome', 'welcome'],
  )
  assert.deepEqual((await tenant.traces(user.id)).audit, ['user.created', 'user.welcomed', 'user.welcomed'])
})

test('a user whom no record names is deleted with audit and event; one whom a record names is not', async () => {
  const tenant = await service.tenant()
  const on = ['--tenant', tenant.slug]
  const made = await json(create(tenant.slug, 'ada@school.example'))
  const { user } = await json(['user', 'delete', 'ada@school.example', ...on])
  assert.equal(user.id, made.user.id)
  assert.ok(!('session' in (await logsIn(tenant, 'ada@school.example', made.password))))
  const traces = await tenant.traces(user.id)
  assert.deepEqual([traces.audit.includes('user.deleted'), traces.events.at(-1)], [true, 'user.deleted'])
  await json(create(tenant.slug, 'carmen@school.example'))
  const student = await aStudent(tenant.api)
  await service.database.inspect('update students set user_name = $2 where id = $1', [
    student.id,
    'carmen@school.example',
  ])
  const held = await run(['user', 'delete', 'carmen@school.example', ...on, '--json'])
  const { error } = JSON.parse(held.stdout)
  assert.deepEqual([held.code, error.code, /named by a student/.test(error.message)], [1, 'state_conflict', true])
})

test('what is put in wrong is refused with 2, what cannot be with 1, and both say what would be', async () => {
  const tenant = await service.tenant()
  const on = ['--tenant', tenant.slug]
  await json(create(tenant.slug, 'a@b.example'))
  for (const [args, exit, said] of [
    [create(tenant.slug, 'A@B.example'), 1, 'There is a user a@b.example already'],
    [create(tenant.slug, 'nobody'), 2, 'no e-mail address'],
    [create(tenant.slug, 'c@d.example', '--roles', 'Wizard'), 1, 'There is no role Wizard. The roles: Academics User'],
    [create(tenant.slug, 'c@d.example', '--roles', 'Guest'), 2, 'not given to anybody'],
    [['user', 'disable', 'c@d.example', ...on], 1, 'user list'],
    [['role', 'delete', 'Student', ...on], 1, 'comes with the service'],
    [['role', 'create', 'Student', ...on], 1, 'already'],
    [['role', 'create', ' ', ...on], 2, '1 to 140 characters'],
    [['role', 'grant', 'a@b.example', 'Administrator', ...on], 2, 'not given to anybody'],
  ] as const) {
    const { code, stderr } = await run([...args])
    assert.deepEqual([args.join(' '), code, stderr.includes(said) || stderr], [args.join(' '), exit, true])
  }
  assert.equal((await run(['role', 'grant', 'a@b.example', ...on])).code, 2)
  assert.equal((await json(['user', 'list', ...on])).users.length, 1)
})

test('the commands for users and roles explain themselves', async () => {
  for (const command of ['user', 'user create', 'user password', 'role', 'role create', 'role grant']) {
    const { code, stdout } = await run([...command.split(' '), '--help'])
    assert.deepEqual([command, code, stdout.startsWith('Usage: matricula')], [command, 0, true])
  }
})

test('an institution that leaves a host name is told beforehand whose passkeys open nothing any more, and says what becomes of them', async () => {
  const tenant = await service.tenant()
  const { id } = await aUser(service, tenant, { email: 'ada@school.example' })
  const [host, next] = [`${tenant.slug}.example`, `${tenant.slug}.example.org`]
  const move = (to: string, ...args: string[]) => run(['tenant', 'update', tenant.slug, '--host', to, ...args])
  const add = (madeFor: string) =>
    service.database.inspect(
      `insert into passkeys (tenant_id, id, user_id, credential_id, rp_id, public_key, counter, name)
       values ($1, gen_random_uuid(), $2, $3::bytea, $4, 'x', 0, 'Phone')`,
      [tenant.id, id, madeFor, madeFor],
    )
  const left = async () =>
    (await service.database.inspect('select from passkeys where tenant_id = $1', [tenant.id])).length
  assert.equal((await move(host)).code, 0)
  await add(host)
  const rejected = await move(next)
  assert.equal(rejected.code, 1)
  assert.match(rejected.stderr, new RegExp(`made for ${host} .*--passkeys forget`))
  assert.equal((await json(['tenant', 'show', tenant.slug])).tenant.host, host)
  assert.deepEqual([(await move(next, '--passkeys', 'keep')).code, await left()], [0, 1])
  const { checks } = JSON.parse((await run(['doctor', '--json'])).stdout)
  const reported = checks.find(({ name }: { name: string }) => name === 'passkeys')
  assert.deepEqual(
    [reported.status, reported.detail.includes(`of ${tenant.slug} for ${host} (by people: 1)`)],
    ['warning', true],
  )
  const forget = (...args: string[]) => ['user', 'forget-passkeys', '--tenant', tenant.slug, ...args]
  assert.equal((await run(forget())).code, 2)
  assert.deepEqual([await json(forget('--made-for', host)), await left()], [{ people: 1 }, 0])
  await add(next)
  assert.deepEqual([(await move(host, '--passkeys', 'forget')).code, await left()], [0, 0])
  const { audit } = await tenant.traces(id)
  assert.deepEqual(audit, ['user.created', 'user.passkey_removed', 'user.passkey_removed'])
})
