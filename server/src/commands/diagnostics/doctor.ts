import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import pg from 'pg'
import { type Config, readConfig } from '../../app/config.ts'
import { anotherSecretKey, getFingerprint } from '../../app/keys/secret-key-fingerprint.ts'
import { recordRegistry } from '../../app/record-definitions.ts'
import {
  type Capacity,
  type ClusterProblems,
  clientOptions,
  connectionsForOthers,
  loadClusterErrors,
  missingMigrations,
  type OpenedDatabase,
  readCapacity,
  requireOwnSessions,
  serviceRole,
} from '../../database/index.ts'
import { SecretSeal } from '../../identity/index.ts'
import { type JobState, jobStatesStatement } from '../../jobs/index.ts'
import { countUnreadableSecrets, foreignSecrets } from '../../record-engine/index.ts'
import { readSecretKey } from '../../storage/index.ts'
import { withOpened } from '../operator.ts'
import { getFailure, print } from '../outcome.ts'
import { checkBackups } from './backup-check.ts'
import { checkBilling } from './billing-check.ts'
import { checkCertificates } from './certificate-checks.ts'
import type { Check } from './check.ts'
import { checkCollations } from './collations.ts'
import {
  checkCurrencies,
  checkLedger,
  checkMails,
  checkPasskeys,
  checkTransactions,
  checkZones,
  countPaymentsInOtherCurrencies,
} from './database-checks.ts'
import { checkDataDir, checkFiles, checkOwnership, notMade } from './file-checks.ts'
import { checkGuardians } from './guardian-check.ts'
import { checkMailServer } from './mail-check.ts'
import { checkPrintedNames } from './names-check.ts'
import { checkSettings } from './setting-checks.ts'
import { wrongTotals } from './wrong-totals.ts'

/** `matricula doctor`: looks at everything that the service stands on, says what to do, and changes nothing. */
export function addDoctorCommand(command: Command): void {
  command.option('--json', 'print one JSON object').action(async (options: { json?: boolean }) => {
    const checks = await examine()
    const marks = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' }
    const lines = checks.map(({ name, status, detail }) => `${marks[status]}  ${name.padEnd(18)} ${detail}`)
    print(options.json, { checks }, lines.join('\n'))
    if (checks.some(({ status }) => status === 'failure')) process.exitCode = 1
  })
}

async function examine(): Promise<Check[]> {
  const checks: Check[] = [checkNode()]
  const config = attempt(checks, 'configuration', () => readConfig(process.env), 'every variable can be used')
  if (config === null) return checks
  checks.push(...checkSettings(config), ...(await checkCertificates(config)))
  if (!existsSync(config.dataDir) && (config.databaseUrl === null || config.storageUrl === null)) {
    return [...checks, { name: 'storage', status: 'warning', detail: notMade(config.dataDir) }]
  }
  if (config.databaseUrl === null || config.storageUrl === null) checks.push(await checkDataDir(config.dataDir))
  checks.push(...(await checkFiles(config)), ...(await checkMailServer(config)))
  const log = {
    info: () => {},
    warn: (message: string) => void checks.push({ name: 'database', status: 'warning', detail: message }),
  }
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres'))) {
    return [...checks, { name: 'database', status: 'warning', detail: notMade(join(config.dataDir, 'postgres')) }]
  }
  try {
    const secretKey = config.secretKey ?? (await readSecretKey(config.dataDir))
    return [...checks, ...(await withOpened(config, log, (opened) => checkDatabase(opened, config, secretKey)))]
  } catch (error) {
    return [...checks, { name: 'database', status: 'failure', detail: getFailure(error).message }]
  }
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > 20 || (major === 20 && minor >= 19)
  return {
    name: 'node',
    status: isNewEnough ? 'ok' : 'failure',
    detail: isNewEnough ? process.version : `${process.version} is too old. Install Node 20.19 or newer.`,
  }
}

function attempt<Result>(checks: Check[], name: string, work: () => Result, good: string): Result | null {
  try {
    const result = work()
    checks.push({ name, status: 'ok', detail: good })
    return result
  } catch (error) {
    checks.push({ name, status: 'failure', detail: getFailure(error).message })
    return null
  }
}

async function checkDatabase(opened: OpenedDatabase, config: Config, secretKey: string | null): Promise<Check[]> {
  if (!opened.isEmbedded) await requireOwnSessions(opened.connection)
  const client = new pg.Client(clientOptions(opened.connection, 'owner', 'matricula doctor'))
  await client.connect()
  try {
    const checks: Check[] = []
    const before = Date.now()
    const { rows: facts } = await client.query(`select version() as version, clock_timestamp() as now`)
    checks.push({ name: 'database', status: 'ok', detail: String(facts[0].version).split(' on ')[0] as string })
    checks.push(checkClock(Date.parse(facts[0].now) - (before + Date.now()) / 2))
    checks.push(checkConnections(await readCapacity(client)))
    const migrations = await checkMigrations(client)
    const cluster = await loadClusterErrors(client)
    checks.push(...clusterChecks(cluster), migrations)
    // The others ask all nodes.
    if (migrations.status !== 'ok' || !cluster.isWhole) return checks
    checks.push(await checkIsolation(client))
    checks.push(await checkTotals(client))
    checks.push(await checkLedger(client))
    checks.push(await checkBilling(async (text, values) => (await client.query(text, values)).rows))
    checks.push(await checkPrintedNames(client))
    checks.push(await checkCurrencies(client))
    checks.push(await countPaymentsInOtherCurrencies(client))
    checks.push(...(await checkZones(client)))
    checks.push(await checkGuardians(client))
    checks.push(await checkTransactions(client))
    checks.push(await checkJobs(client))
    checks.push(await checkCollations(client))
    checks.push(await checkBackups(client, opened.connection, config))
    checks.push(await checkMails(client, config.mail !== null))
    checks.push(await checkPasskeys(client, new URL(config.publicUrl).hostname))
    checks.push(await checkWebhooks(client, secretKey === null ? null : new SecretSeal(secretKey)))
    checks.push(await checkOwnership(opened.connection, config, secretKey))
    if (secretKey !== null) {
      checks.push(await checkSecretKey(client, secretKey))
      checks.push(await checkSecrets(client, new SecretSeal(secretKey)))
    }
    return checks
  } finally {
    await client.end()
  }
}

/** Whether the database is at this version; the other looks at it need that. */
async function checkMigrations(client: pg.Client): Promise<Check> {
  const name = 'migrations'
  const { rows } = await client.query(`select to_regclass('public.schema_migrations') is not null as exists`)
  const missing = await missingMigrations(async (text) => (rows[0].exists ? (await client.query(text)).rows : []))
  if (missing.length > 0) {
    return { name, status: 'failure', detail: `missing: ${missing.join(', ')}. Run: matricula migrate` }
  }
  const invalid = await client.query<{ index: string }>(
    `select indexrelid::regclass::text as index from pg_index where not indisvalid order by 1`,
  )
  if (invalid.rows.length === 0) return { name, status: 'ok', detail: 'the database has all of them' }
  const indexes = invalid.rows.map(({ index }) => index).join(', ')
  return {
    name,
    status: 'warning',
    detail: `not built to their end, and of no use: ${indexes}. Drop and build them again.`,
  }
}

/** Whether the nodes of a cluster are as they should be; nothing where the database is a PostgreSQL. */
function clusterChecks({ isCluster, errors }: ClusterProblems): Check[] {
  if (!isCluster) return []
  if (errors.length === 0)
    return [{ name: 'cluster', status: 'ok', detail: 'every node answers and has what it needs' }]
  return errors.map((detail) => ({ name: 'cluster', status: 'failure', detail }))
}

function checkClock(differenceMilliseconds: number): Check {
  const seconds = (differenceMilliseconds / 1000).toFixed(1)
  if (Math.abs(differenceMilliseconds) < 2000)
    return { name: 'clock', status: 'ok', detail: `${seconds} s off the database` }
  const detail = `${seconds} s off the database. Keep both machines on network time (NTP).`
  return { name: 'clock', status: 'warning', detail }
}

/** Whether the database takes as many connections as the services that run may want together. */
function checkConnections({ most: max, open, services }: Capacity): Check {
  const name = 'connections'
  const claimed = services.reduce((sum, { connections }) => sum + connections, 0)
  const running = services.length === 1 ? '1 service runs and may' : `${services.length} services run and may`
  const detail = `${running} take ${claimed} of ${max}; ${open} are open now`
  if (claimed + connectionsForOthers <= max && open < max) return { name, status: 'ok', detail }
  const advice = 'Raise max_connections of the database, or set a lower DATABASE_CONNECTIONS and restart the services.'
  return { name, status: 'warning', detail: `${detail}. ${advice}` }
}

async function checkIsolation(client: pg.Client): Promise<Check> {
  const name = 'tenant isolation'
  const { rows: open } = await client.query<{ name: string }>(`
    select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (not c.relrowsecurity or not exists (select from pg_policy p where p.polrelid = c.oid))`)
  const { rows: roles } = await client.query(
    `select rolsuper or rolbypassrls as free from pg_roles where rolname = $1`,
    [serviceRole],
  )
  if (open.length > 0) {
    const detail = `without row-level security: ${open.map((row) => row.name).join(', ')}. Run matricula migrate.`
    return { name, status: 'failure', detail }
  }
  if (roles[0]?.free !== false) {
    const detail = `the role ${serviceRole} may bypass row-level security. Run: alter role ${serviceRole} nosuperuser nobypassrls`
    return { name, status: 'failure', detail }
  }
  return { name, status: 'ok', detail: 'row-level security on every tenant table' }
}

/** Whether SECRET_KEY is the one that the database was used with before. */
async function checkSecretKey(client: pg.Client, secretKey: string): Promise<Check> {
  const name = 'secret key'
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from secret_key_marks')
  if (rows.length === 0)
    return { name, status: 'ok', detail: 'none is recorded yet: the next start of the service does it' }
  const isOwn = rows.some(({ fingerprint }) => fingerprint === getFingerprint(secretKey))
  if (isOwn) return { name, status: 'ok', detail: 'the one that this database was used with before' }
  return { name, status: 'failure', detail: anotherSecretKey }
}

/** Whether the service can read the secrets that it keeps, such as those of card gateways. */
async function checkSecrets(client: pg.Client, seal: SecretSeal): Promise<Check> {
  const name = 'secrets'
  const counts = await countUnreadableSecrets(async (text) => (await client.query(text)).rows, recordRegistry, seal)
  if (counts.foreign > 0) return { name, status: 'failure', detail: `${counts.foreign}: ${foreignSecrets}` }
  const { rows } = await client.query<{ secret: string }>(
    'select client_secret as secret from issuers union all select secret from one_time_codes',
  )
  const lost = rows.filter(({ secret }) => !seal.isOwn(secret)).length
  if (lost > 0) {
    const advice =
      'Start the service with that one again, or apply the issuers again and let users set up their codes again.'
    const detail = `${lost} of issuers and one-time codes were encrypted under another SECRET_KEY. ${advice}`
    return { name, status: 'failure', detail }
  }
  if (counts.plain === 0) return { name, status: 'ok', detail: 'every stored secret is encrypted under SECRET_KEY' }
  return { name, status: 'warning', detail: `${counts.plain} are not encrypted yet. The next start does it: npm start` }
}

/** The totals of the lists are kept, not counted; here they are counted and compared. */
async function checkTotals(client: pg.Client): Promise<Check> {
  const wrong = await wrongTotals(async (text, values) => (await client.query(text, values)).rows)
  if (wrong.length === 0) return { name: 'totals', status: 'ok', detail: 'the kept totals of every list are exact' }
  return { name: 'totals', status: 'failure', detail: `wrong for ${wrong.join(', ')}. Please report this.` }
}

/** Whether the jobs of the service do what they are for, and for which tenants they do not. */
async function checkJobs(client: pg.Client): Promise<Check> {
  const name = 'jobs'
  const { rows } = await client.query<JobState>(jobStatesStatement.text)
  const failing = rows.filter(({ failingSince }) => failingSince !== null)
  if (failing.length === 0) return { name, status: 'ok', detail: `${rows.length} have run, and none is failing` }
  const slugs = new Map(
    (await client.query<{ id: string; slug: string }>('select id, slug from tenants')).rows.map(({ id, slug }) => [
      id,
      slug,
    ]),
  )
  const reported = failing.map(({ job, failingSince, failing }) => {
    const tenants = failing.map(({ tenantId, code }) => `${slugs.get(tenantId) ?? tenantId} (${code})`)
    return `${job} since ${failingSince}${tenants.length === 0 ? '' : ` for ${tenants.join(', ')}`}`
  })
  const advice = 'The log of the service says more at each run.'
  return { name, status: 'warning', detail: `failing: ${reported.join('; ')}. ${advice}` }
}

interface FailingWebhook {
  readonly slug: string
  readonly url: string
  readonly since: string
  readonly error: string
}

/**
 * Whether deliveries arrive, and since when they do not; of an address only its host is told, because the rest may be
 * a secret.
 */
async function checkWebhooks(client: pg.Client, seal: SecretSeal | null): Promise<Check> {
  const name = 'webhooks'
  const { rows: all } = await client.query<{ secret: string }>('select secret from webhooks')
  const foreign = seal === null ? 0 : all.filter(({ secret }) => !seal.isOwn(secret)).length
  if (foreign > 0) {
    const advice = 'Start the service with that SECRET_KEY again, or rotate their secrets with --overlap 0.'
    return { name, status: 'failure', detail: `${foreign} have a secret under another SECRET_KEY. ${advice}` }
  }
  const { rows: failing } = await client.query<FailingWebhook>(`
    select t.slug, w.url, s.failing_since as since, s.last_error as error
      from webhook_states s
      join webhooks w on w.tenant_id = s.tenant_id and w.id = s.webhook_id and w.status = 'enabled'
      join tenants t on t.id = s.tenant_id
     where s.failing_since is not null
     order by s.failing_since limit 100`)
  if (failing.length === 0) return { name, status: 'ok', detail: `${all.length} endpoints, and none is failing` }
  const reported = failing.map(
    ({ slug, url, since, error }) => `${new URL(url).host} of ${slug} since ${since} (${error})`,
  )
  const advice = 'matricula webhook deliveries says more.'
  return { name, status: 'warning', detail: `failing: ${reported.join('; ')}. ${advice}` }
}
