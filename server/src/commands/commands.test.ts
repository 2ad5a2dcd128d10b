import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { activeScopes, modules } from '@matricula/contract'
import pg from 'pg'
import { clientOptions } from '../database/index.ts'
import { testCertificate } from '../features/webhooks/certificate.fixture.ts'
import { startTestMailServer } from '../mail/smtp-server.fixture.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { loadCommandLine } from '../testing/fixtures/command-line.ts'
import { getUrl, onDatabase } from '../testing/fixtures/database/test-database.ts'
import { aStudent } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { afterFile } from '../testing/runner/file-end.ts'
import type { Check } from './diagnostics/check.ts'
import { checkTransactions } from './diagnostics/database-checks.ts'

const service = await startTestService()
const { folder, run: matricula, json: jsonOf } = await loadCommandLine(service)
const json = (...args: string[]) => jsonOf(args)

test('a tenant is made with everything on, changed, listed and shown; its own pipeline is there', async () => {
  const { tenant } = await json('tenant', 'create', '--slug', 'hillside', '--name', 'Hillside College')
  assert.deepEqual(
    { ...tenant, id: '', createdAt: '', updatedAt: '' },
    {
      id: '',
      slug: 'hillside',
      name: 'Hillside College',
      status: 'active',
      host: null,
      timeZone: 'UTC',
      currency: 'USD',
      language: 'en',
      enabledModules: [...modules],
      sorByDomain: { students: 'shared', enrollment: 'shared', payments: 'shared' },
      createdAt: '',
      updatedAt: '',
    },
  )
  const sor = 'students=platform,payments=integration'
  const changes = ['--name', 'Hillside', '--modules', 'staff_students,platform_integrations', '--sor', sor]
  const changed = await json(
    'tenant',
    'update',
    'hillside',
    ...changes,
    '--status',
    'suspended',
    '--host',
    'H.example.org',
    '--language',
    'es',
  )
  assert.deepEqual(changed.tenant.sorByDomain, { students: 'platform', enrollment: 'shared', payments: 'integration' })
  assert.deepEqual(changed.tenant.enabledModules, ['staff_students', 'platform_integrations'])
  assert.deepEqual(
    [changed.tenant.status, changed.tenant.host, changed.tenant.language, changed.tenant.id],
    ['suspended', 'h.example.org', 'es', tenant.id],
  )
  assert.deepEqual((await json('tenant', 'show', 'hillside')).tenant, changed.tenant)
  assert.ok((await json('tenant', 'list')).tenants.some(({ slug }: { slug: string }) => slug === 'hillside'))
  const rows = await service.database.inspect('select 1 from pipeline_statuses where tenant_id = $1', [tenant.id])
  assert.equal(rows.length, 8)
})

test('a tenant is made in any currency of today; one that is none is refused, one that was withdrawn is warned of', async () => {
  for (const [index, currency] of ['XCG', 'ZWG', 'VED', 'XAD', 'CLF', 'xcg'].entries()) {
    const { tenant } = await json('tenant', 'create', '--slug', `coin-${index}`, '--name', 'C', '--currency', currency)
    assert.equal(tenant.currency, currency.toUpperCase())
    const rows = await service.database.inspect(
      'select account_currency from accounts where tenant_id = $1 and account_currency <> $2',
      [tenant.id, tenant.currency],
    )
    assert.equal(rows.length, 0)
  }
  for (const code of ['ABC', 'DEM', 'XXX', 'XAU', 'EURO', '', 'E€R']) {
    const outcome = await matricula([
      'tenant',
      'create',
      '--slug',
      'no-coin',
      '--name',
      'N',
      '--currency',
      code,
      '--json',
    ])
    assert.deepEqual([outcome.code, JSON.parse(outcome.stdout).error.code], [2, 'invalid_value'], code)
  }
  for (const code of ['BGN', 'ANG', 'ZWL']) {
    const args = [
      'tenant',
      'create',
      '--slug',
      `old-${code.toLowerCase()}`,
      '--name',
      'O',
      '--currency',
      code,
      '--json',
    ]
    const outcome = await matricula(args)
    assert.deepEqual([outcome.code, JSON.parse(outcome.stdout).tenant.currency], [0, code])
    assert.match(outcome.stderr, /withdrawn from ISO 4217 after 20\d\d-\d\d-\d\d/)
  }
  const check = (await json('doctor')).checks.find(({ name }: Check) => name === 'currencies')
  assert.equal(check.status, 'warning')
  assert.match(check.detail, /BGN of old-bgn/)
  for (const code of ['bgn', 'ang', 'zwl']) await json('tenant', 'update', `old-${code}`, '--currency', 'USD')
})

test('doctor counts payments in another currency than their institution', async () => {
  const { api, slug } = await service.tenant({ currency: 'EUR' })
  const { id } = await aStudent(api)
  const fee = { studentId: id, amount: 10, description: 'Fee', dueDate: '2026-09-01' }
  assert.equal((await api.post('/payments', fee)).body.data.currency, 'USD')
  assert.equal((await api.post('/payments', { ...fee, currency: 'EUR' })).status, 201)
  const check = (await json('doctor')).checks.find(({ name }: Check) => name === 'payments')
  assert.deepEqual([check.status, check.detail.includes(`1 in USD of ${slug}`)], ['ok', true], check.detail)
})

test('a tenant changes its currency with its companies and their accounts; others, and what is posted, stay', async () => {
  const created = await json('tenant', 'create', '--slug', 'leva', '--name', 'Leva', '--currency', 'BGN')
  const { id } = created.tenant
  await service.database.inspect(
    `insert into companies (tenant_id, id, name, company_name, abbr, default_currency)
     values ($1, new_uuid7(), 'Abroad', 'Abroad', 'AB', 'USD')`,
    [id],
  )
  await service.database.inspect(`delete from currencies where tenant_id = $1 and name = 'EUR'`, [id])
  const outcome = await matricula(['tenant', 'update', 'leva', '--currency', 'EUR', '--json'])
  assert.deepEqual([outcome.code, JSON.parse(outcome.stdout).tenant.currency], [0, 'EUR'])
  assert.match(outcome.stderr, /Leva and the accounts in BGN are in EUR now/)
  const companies = await service.database.inspect<{ name: string; default_currency: string }>(
    'select name, default_currency from companies where tenant_id = $1 order by name',
    [id],
  )
  assert.deepEqual(
    companies.map(({ name, default_currency: currency }) => [name, currency]),
    [
      ['Abroad', 'USD'],
      ['Leva', 'EUR'],
    ],
  )
  const accounts = await service.database.inspect(
    'select distinct account_currency from accounts where tenant_id = $1',
    [id],
  )
  assert.deepEqual(accounts, [{ account_currency: 'EUR' }])
  const audited = await service.database.inspect<{ entity_type: string; count: number }>(
    `select entity_type, count(*)::integer from audit_entries where tenant_id = $1 and action like '%.updated' group by 1 order by 1`,
    [id],
  )
  assert.deepEqual(
    audited.map(({ entity_type: type, count }) => [type, count]),
    [
      ['account', 8],
      ['company', 1],
      ['tenant', 1],
    ],
  )
  const again = await matricula(['tenant', 'update', 'leva', '--currency', 'EUR', '--json'])
  assert.deepEqual([again.code, again.stderr], [0, ''])
})

test('migrating gives a tenant of an older version what it has nothing of, and no more', async () => {
  const { id, api } = await service.tenant()
  await service.database.inspect('delete from document_types where tenant_id = $1', [id])
  await service.database.inspect(`delete from pipeline_statuses where tenant_id = $1 and key = 'interview'`, [id])
  await Promise.all([json('migrate'), json('migrate')])
  assert.equal((await api.get('/vault/document-types')).body.data.length, 8)
  assert.equal((await api.get('/admissions/pipeline/statuses')).body.data.length, 7)
})

test('a token works at once; it is listed without its secret, rotated, and revoked', async () => {
  const { slug } = await service.tenant()
  const create = [
    'token',
    'create',
    '--tenant',
    slug,
    '--name',
    'ERP',
    '--scopes',
    'all',
    '--domains',
    'students,payments',
  ]
  const { apiKey, token } = await json(...create, '--requests-per-minute', '5000', '--expires-in', '90d')
  assert.match(token, /^mtc_/)
  assert.deepEqual(
    [apiKey.name, apiKey.scopes, apiKey.masterDomains],
    ['ERP', [...activeScopes], ['students', 'payments']],
  )
  const me = await new Caller(service.address, token).get('/me')
  assert.deepEqual([me.status, me.body.data.apiKey.rateLimit.requestsPerMinute], [200, 5000])
  const listed = await json('token', 'list', '--tenant', slug)
  assert.ok(listed.apiKeys.some(({ id }: { id: string }) => id === apiKey.id))
  assert.ok(!JSON.stringify(listed).includes(token))
  const rotated = await json('token', 'rotate', apiKey.id, '--overlap', '0')
  assert.deepEqual([rotated.apiKey.id, rotated.apiKey.secrets.length], [apiKey.id, 2])
  assert.equal((await new Caller(service.address, rotated.token).get('/me')).status, 200)
  const revoked = await json('token', 'revoke', apiKey.id)
  assert.ok(revoked.apiKey.revokedAt)
})

test('a token has no domain unless named, the default quota, and reserved scopes only by name', async () => {
  const { slug } = await service.tenant()
  const create = ['token', 'create', '--tenant', slug, '--name', 'x', '--scopes']
  const { apiKey } = await json(...create, 'students:read,forms:write')
  assert.deepEqual(
    [apiKey.masterDomains, apiKey.requestsPerMinute, apiKey.scopes],
    [[], 600, ['students:read', 'forms:write']],
  )
})

test('a key of the Resource API has its roles, System Manager unless said otherwise, and opens nothing here', async () => {
  const { slug } = await service.tenant()
  const { apiKey, key } = await json('key', 'create', '--tenant', slug, '--name', 'portal')
  assert.match(key, /^mtr_/)
  assert.deepEqual(apiKey.roles, ['System Manager'])
  assert.equal((await new Caller(service.address, key).get('/me')).body.code, 'invalid_token')
  const other = await json('key', 'create', '--tenant', slug, '--name', 'x', '--roles', 'Academics User, Instructor')
  assert.deepEqual(other.apiKey.roles, ['Academics User', 'Instructor'])
  assert.equal((await json('key', 'list', '--tenant', slug)).apiKeys.length, 2)
})

test('an import makes and changes programs and courses; the same file again changes nothing', async () => {
  const tenant = await service.tenant()
  const file = join(folder, 'catalogue.json')
  const catalogue = {
    programs: [{ name: 'Nursing', code: 'NUR', educationLevel: 'undergraduate' }, { name: 'Medicine' }],
    courses: [{ name: 'Anatomy', code: 'A1', credits: 6.5, programs: ['Nursing', 'Medicine'] }],
  }
  await writeFile(file, JSON.stringify(catalogue))
  const first = await json('import', file, '--tenant', tenant.slug)
  assert.deepEqual(first, {
    programs: { created: 2, updated: 0, unchanged: 0 },
    courses: { created: 1, updated: 0, unchanged: 0 },
  })
  const course = (await tenant.api.get('/courses')).body.data[0]
  assert.deepEqual(
    [course.credits, course.programs.map(({ name }: { name: string }) => name)],
    [6.5, ['Medicine', 'Nursing']],
  )
  const second = await json('import', file, '--tenant', tenant.slug)
  assert.deepEqual([second.programs.unchanged, second.courses.unchanged], [2, 1])
  assert.deepEqual((await tenant.api.get('/courses')).body.data[0], course)
  await writeFile(file, JSON.stringify({ courses: [{ name: 'Anatomy', hours: 90, programs: ['Nursing'] }] }))
  assert.equal((await json('import', file, '--tenant', tenant.slug)).courses.updated, 1)
  const programs = (await tenant.api.get('/programs')).body.data as { name: string; courseCount: number }[]
  assert.deepEqual(
    programs.map(({ name, courseCount }) => [name, courseCount]),
    [
      ['Nursing', 1],
      ['Medicine', 0],
    ],
  )
  assert.deepEqual((await tenant.traces(course.id)).events, ['course.created', 'course.updated'])
  await writeFile(
    file,
    JSON.stringify({ programs: [{ name: 'Law' }], courses: [{ name: 'Ethics', programs: ['None'] }] }),
  )
  const rejected = await matricula(['import', file, '--tenant', tenant.slug])
  assert.equal(rejected.code, 2)
  assert.match(rejected.stderr, /program None/)
  assert.equal((await tenant.api.get('/programs?search=law')).body.pagination.total, 0)
})

test('doctor finds a sound service sound, and says what is wrong with one that is not', async () => {
  await mkdir(join(folder, 'files'), { recursive: true })
  const mailServer = await startTestMailServer()
  afterFile(() => mailServer.close())
  const stored = {
    SECRET_KEY: '0123456789abcdefghijklmnopqrstuv',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'a@b.example',
  }
  const sound = await jsonOf(['doctor'], { environment: stored })
  assert.deepEqual(
    sound.checks.filter(({ status }: { status: string }) => status !== 'ok').map(({ name }: { name: string }) => name),
    ['backups'], // none was made yet
  )
  const broken = await matricula(['doctor', '--json'], { environment: { PORT: 'ninety' } })
  assert.equal(broken.code, 1)
  assert.match(JSON.parse(broken.stdout).checks.at(-1).detail, /^PORT must be a whole number/)
  const { id } = await service.tenant()
  await service.database.inspect(
    `insert into record_counts (tenant_id, entity_type, status, shard, count) values ($1, 'payment', 'paid', 0, 3)`,
    [id],
  )
  const wrong = await matricula(['doctor'])
  assert.deepEqual([wrong.code, /totals +wrong for payments/.test(wrong.stdout)], [1, true])
  await service.database.inspect(`delete from record_counts where tenant_id = $1`, [id])
})

test('doctor names weak settings, certificates that are not trusted, a ledger out of balance and transactions left open', async () => {
  const server = createServer(testCertificate, (socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => {})
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { id, slug } = await service.tenant()
  await service.database.inspect(
    `insert into gl_entries (tenant_id, id, name, voucher_type, voucher_no, debit) values ($1, $2, 'e', 'Fees', 'F-1', 5)`,
    [id, randomUUID()],
  )
  const checksIn = async (environment: NodeJS.ProcessEnv) => {
    const { checks } = JSON.parse((await matricula(['doctor', '--json'], { environment })).stdout)
    return (name: string): Check[] => checks.filter((check: Check) => check.name === name)
  }
  const own = await checksIn({ PUBLIC_URL: `https://localhost:${port}`, HOST: '0.0.0.0' })
  assert.match(
    own('certificate')[0]?.detail as string,
    /^that of localhost:\d+ of PUBLIC_URL is not trusted \(DEPTH_ZERO/,
  )
  assert.match(own('ledger')[0]?.detail as string, new RegExp(`^out of balance: Fees F-1 of ${slug}\\.`))
  const weak = own('settings')
    .map(({ detail }) => detail)
    .join()
  for (const name of ['SECRET_KEY', 'PUBLIC_URL', 'METRICS_TOKEN', 'SMTP_URL'])
    assert.ok(weak.includes(name), `${name}: ${weak}`)
  const open = await checksIn({ PUBLIC_URL: 'http://school.example' })
  assert.match(
    open('settings')
      .map(({ detail }) => detail)
      .join(),
    /PUBLIC_URL is http.*TRUSTED_PROXIES/s,
  )
  server.close()
  await service.database.inspect('delete from gl_entries where tenant_id = $1', [id])
  const [client, idle] = [0, 1].map(
    () => new pg.Client(clientOptions(service.database.connection, 'owner', 'left open')),
  )
  await client?.connect()
  await idle?.connect()
  await idle?.query('begin; select 1')
  const found = await checkTransactions(client as pg.Client, 0)
  assert.match(found.detail, /left open \(idle in transaction, 0 minutes, process \d+\)/)
  await idle?.end()
  await client?.end()
})

test('doctor tries the mail server, and sends nothing', async () => {
  const server = await startTestMailServer()
  const mailCheck = async (url: string) => {
    const environment = { SMTP_URL: url, MAIL_FROM: 'office@school.example' }
    const { stdout } = await matricula(['doctor', '--json'], { environment })
    return JSON.parse(stdout).checks.find(({ name }: Check) => name === 'mail server')
  }
  assert.deepEqual([(await mailCheck(server.url)).status, server.taken.length], ['ok', 0])
  await server.close()
  const closed = await mailCheck(server.url)
  assert.equal(closed.status, 'failure')
  assert.match(closed.detail, /of SMTP_URL cannot be used\. (Nothing listens there|The connection breaks)/)
})

test('doctor changes nothing: where there is no data, and where migrations are missing, it says what to do', async () => {
  const nowhere = join(folder, 'nowhere')
  const environment = { DATA_DIR: nowhere, DATABASE_URL: '', SECRET_KEY: '' }
  const left = () => readdir(nowhere).catch(({ code }) => code)
  for (const expected of ['ENOENT', []]) {
    if (Array.isArray(expected)) await mkdir(nowhere)
    const { code, stdout } = await matricula(['doctor', '--json'], { environment })
    assert.deepEqual([code, JSON.parse(stdout).checks.at(-1).status], [0, 'warning'])
    assert.match(JSON.parse(stdout).checks.at(-1).detail, /is not there yet\. The first start makes it: npm start$/)
    assert.deepEqual(await left(), expected)
  }
  await rm(nowhere, { recursive: true })
  const [last] = await service.database.inspect<{ name: string; checksum: string }>(
    `delete from schema_migrations
      where name = (select max(name) from schema_migrations where kind is distinct from 'contract')
     returning name, checksum`,
  )
  const { code, stdout } = await matricula(['doctor', '--json'])
  const { name, status, detail } = JSON.parse(stdout).checks.at(-1)
  assert.deepEqual(
    [code, name, status, detail],
    [1, 'migrations', 'failure', `missing: ${last?.name}. Run: matricula migrate`],
  )
  const still = await service.database.inspect('select 1 from schema_migrations where name = $1', [last?.name])
  assert.equal(still.length, 0)
  await service.database.inspect('insert into schema_migrations (name, checksum) values ($1, $2)', [
    last?.name,
    last?.checksum,
  ])
})

test('migrate says that there is nothing to do when there is not', async () => {
  assert.deepEqual((await json('migrate')).applied, [])
})

test('what is put in wrong ends with 2, what cannot be with 1; both say what to do, and with --json by which code', async () => {
  const { slug } = await service.tenant()
  const create = ['token', 'create', '--tenant', slug, '--name', 'x', '--scopes']
  for (const [argv, code, exit] of [
    [['nonsense'], 'wrong_usage', 2],
    [['tenant', 'create', '--slug', 'x'], 'wrong_usage', 2],
    [['tenant', 'list', '--colour'], 'wrong_usage', 2],
    [[...create, 'students:destroy'], 'invalid_value', 2],
    [[...create, 'all', '--domains', 'everything'], 'invalid_value', 2],
    [[...create, 'all', '--expires-in', 'soon'], 'invalid_value', 2],
    [[...create, 'all', '--requests-per-minute', '0'], 'invalid_value', 2],
    [['demo', '--students', 'many'], 'invalid_value', 2],
    [['tenant', 'create', '--slug', 'Ünicode', '--name', 'X'], 'invalid_value', 2],
    [['tenant', 'update', slug, '--timezone', 'Mars/Phobos'], 'invalid_value', 2],
    [['tenant', 'update', slug, '--timezone', '+03:00'], 'invalid_value', 2],
    [['tenant', 'create', '--slug', 'zoned', '--name', 'Z', '--timezone', 'IST'], 'invalid_value', 2],
    [['tenant', 'create', '--slug', 'zoned', '--name', 'Z', '--timezone', 'US/Pacific-New'], 'invalid_value', 2],
    [['tenant', 'update', slug, '--language', 'xx'], 'invalid_value', 2],
    [['import', '/no/such/file', '--tenant', slug], 'invalid_file', 2],
    [['import', 'student', 'students.csv', '--tenant', slug], 'wrong_usage', 2],
    [['tenant', 'show', 'nobody'], 'not_found', 1],
    [['tenant', 'create', '--slug', slug, '--name', 'Twice'], 'already_exists', 1],
    [['token', 'revoke', 'no-such-id'], 'not_found', 1],
    [['token', 'rotate', '01985b2e-5a00-7000-8000-00000000000a'], 'not_found', 1],
  ] as const) {
    const outcome = await matricula([...argv, '--json'])
    const lines = outcome.stdout.trimEnd().split('\n')
    const { error } = JSON.parse(lines[0] as string)
    const name = argv.join(' ')
    assert.deepEqual([name, lines.length, error.code, outcome.code], [name, 1, code, exit])
    assert.ok(error.message.length > 0 && outcome.stderr.includes(error.message), outcome.stderr)
    assert.ok(!outcome.stderr.includes('    at '), outcome.stderr)
  }
})

test('an import that is misspelt is told by the name that was meant', async () => {
  const misspelt = await matricula(['import', 'student', 'students.csv', '--tenant', 'any'])
  assert.match(misspelt.stderr, /no import of student, nor such a file\. Did you mean students\?/)
  const unknown = await matricula(['import', 'zebras'])
  assert.match(unknown.stderr, /no import of zebras, nor such a file\. There are: .*students, .*courses/)
})

test('a command in a folder without a database makes none, and says where to look', async () => {
  const { DATA_DIR: _, DATABASE_URL: __, ...environment } = process.env
  const elsewhere = join(folder, 'elsewhere')
  await mkdir(elsewhere)
  const program = fileURLToPath(new URL('../../bin/matricula.js', import.meta.url))
  const { code, stderr } = await promisify(execFile)(process.execPath, [program, 'tenant', 'list'], {
    cwd: elsewhere,
    env: environment,
  }).catch((error) => error)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /There is no database in .*elsewhere\/data\. Run the command where the service runs, or set DATA_DIR/,
  )
  assert.deepEqual(await readdir(elsewhere), [])
})

test('a database that cannot be reached is told in words, without what the system calls it', async () => {
  for (const [databaseUrl, said] of [
    ['postgresql://127.0.0.1:1/none', 'Nothing listens at the address of DATABASE_URL.'],
    ['postgresql://no-such-host.invalid/none', 'The host of DATABASE_URL'],
    [getUrl(onDatabase(service.database.connection, 'no_such_database')), 'The server has no database'],
    ...['require', 'verify-full'].map((mode) => {
      const url = new URL(getUrl(service.database.connection))
      url.searchParams.set('sslmode', mode)
      return [url.href, 'takes no TLS'] as const
    }),
  ] as const) {
    const environment = { DATABASE_URL: databaseUrl }
    const { code, stdout, stderr } = await matricula(['tenant', 'list', '--json'], { environment })
    const { error } = JSON.parse(stdout)
    assert.deepEqual(
      [code, error.code, error.message.includes(said) || error.message],
      [1, 'database_unavailable', true],
    )
    assert.ok(!/E[A-Z]{4,}| {4}at |Warning/.test(stderr), stderr)
  }
})

test('an unknown setting of the environment ends with 2 and names the variable', async () => {
  const { code, stdout } = await matricula(['tenant', 'list', '--json'], { environment: { PORT: 'ninety' } })
  assert.deepEqual([code, JSON.parse(stdout).error.code], [2, 'invalid_configuration'])
  assert.match(JSON.parse(stdout).error.message, /^PORT must be/)
})

test('the version is printed, the help marks what must be given, and completion knows commands and options', async () => {
  assert.match((await matricula(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  assert.match((await matricula(['token', 'create', '--help'])).stdout, /--tenant <slug> +the tenant \(required\)/)
  for (const shell of ['bash', 'zsh'])
    assert.match((await matricula(['completion', shell])).stdout, /matricula complete/)
  assert.match((await matricula(['complete', '--', 'ten'])).stdout, /^tenant\t/)
  assert.match((await matricula(['complete', '--', 'token', 'create', '--'])).stdout, /^--scopes\t/m)
})

test('every command explains itself', async () => {
  const commands = [
    '',
    'tenant',
    'tenant create',
    'tenant update',
    'token create',
    'token rotate',
    'key create',
    'demo',
  ]
  for (const command of [...commands, 'import', 'migrate', 'doctor']) {
    const { code, stdout } = await matricula([...command.split(' ').filter(Boolean), '--help'])
    assert.deepEqual([command, code], [command, 0])
    assert.match(stdout, /^Usage: matricula/)
  }
})

test('doctor tells that the system sorts texts in another way than the indexes, until they are built anew', async () => {
  const check = async () => {
    const { checks } = JSON.parse((await matricula(['doctor', '--json'])).stdout)
    return checks.find(({ name }: { name: string }) => name === 'collations')
  }
  assert.equal((await check()).status, 'ok')
  assert.deepEqual(await json('refresh-collations'), { collations: [], indexes: 0 })
  await service.database.inspect(
    `update pg_database set datcollversion = '0.1' where datname = current_database() and datcollversion is not null`,
  )
  const [{ has } = { has: null }] = await service.database.inspect<{ has: string | null }>(
    'select pg_database_collation_actual_version(oid) as has from pg_database where datname = current_database()',
  )
  if (has === null) return console.log('# not tried: the order of this database has no version')
  const changed = await check()
  assert.deepEqual([changed.status, /0\.1, now .*refresh-collations/.test(changed.detail)], ['failure', true])
  const { collations, indexes } = await json('refresh-collations')
  assert.deepEqual([collations.length, indexes > 100], [1, true])
  assert.equal((await check()).status, 'ok')
})
