import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activeScopes, domains, extensionScopes } from '@matricula/contract'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type AppConfig, createApp, deliverySender } from '../app.ts'
import type { Config } from '../config.ts'
import { asOwner, Database, type Transaction } from '../database/index.ts'
import type { VaultFiles } from '../features/documents/index.ts'
import type { PortalBuild } from '../features/portal/index.ts'
import { startDeliveries } from '../features/webhooks/index.ts'
import type { Patience } from '../http/patience.ts'
import { createApiKey, type NewApiKey } from '../platform/api-keys.ts'
import { DiskFileStore } from '../platform/files/disk-file-store.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import type { VirusScanner } from '../platform/files/virus-scan.ts'
import { newId } from '../platform/ids.ts'
import { parseNetworks } from '../platform/outgoing-calls/index.ts'
import type { ChangeContext } from '../platform/request-context.ts'
import { createTenant, type TenantRecord, type TenantSettings, updateTenant } from '../platform/tenants.ts'
import type { PasswordHasher } from '../platform/users/index.ts'
import { seedTenant } from '../tenant-seeds.ts'
import { type ApiAnswer, Caller } from './caller.ts'
import { afterFile } from './file-end.ts'
import { guardLocks } from './lock-guard.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A service on a database of its own, as a test file uses it. */
export interface TestService {
  readonly database: TestDatabase
  readonly data: Database
  /** Where the service keeps files. */
  readonly files: VaultFiles
  readonly app: FastifyInstance
  readonly address: string
  /** The key that signs the addresses of the service. */
  readonly secretKey: string
  /** Lines that the service logged. */
  readonly logged: string[]
  /** A new tenant, all of it allowed unless said otherwise. */
  tenant(settings?: Partial<TenantSettings>): Promise<TestTenant>
  /** Sends bytes to a signed address of the service, or reads one. */
  sendFile(url: string, options: RequestInit): Promise<Response>
  /** Sends a request without a token. */
  anonymous: Caller
  /** Delivers webhooks from then on; the returned function ends it, as the end of the test file does. */
  deliver(on?: Database): () => Promise<void>
  /** Starts another service beside it, with connections of its own to the same database; answers its address. */
  beside(): Promise<string>
}

export interface TestTenant extends TenantRecord {
  /** Calls with a token that may do everything. */
  readonly api: Caller
  /** A new token of the tenant. */
  token(key?: Partial<NewApiKey>): Promise<{ id: string; secret: string; api: Caller }>
  change(settings: TenantSettings): Promise<void>
  /** What a write left behind on a record: audit rows and event rows, oldest first. */
  traces(entityId: string): Promise<{ audit: string[]; events: string[]; changed: string[][] }>
}

export type { ApiAnswer }

const operator: Omit<ChangeContext, 'tenant'> = {
  actor: { type: 'operator', id: null, name: 'test' },
  requestId: null,
  address: null,
}

/** Starts a service for the test file that calls it, and stops it when the file is done. */
export async function startTestService(
  options: {
    authFailuresPerMinute?: number
    scanner?: VirusScanner
    store?: FileStore
    mail?: Config['mail']
    cardGatewayUrl?: string
    /** Whether a transaction that locks out of order fails the test file; it does unless said otherwise. */
    guardsLocks?: boolean
    allowedOrigins?: readonly string[]
    trustedProxies?: string
    passwords?: PasswordHasher
    patience?: Patience
    portal?: PortalBuild
    webhookAllowedNetworks?: string
    webhookCalls?: AppConfig['webhookCalls']
  } = {},
): Promise<TestService> {
  const database = await createTestDatabase()
  const lockFaults: string[] = []
  const watchTransaction = (tx: Transaction) =>
    options.guardsLocks === false ? tx : guardLocks(tx, (fault) => lockFaults.push(fault))
  const data = new Database(database.connection, { forbidsNesting: true, watchTransaction })
  const logged: string[] = []
  const write = (line: string) => {
    logged.push(line)
    // What a test did not expect is found in what the service says of it.
    if (/^\{"level":[56]0/.test(line)) process.stderr.write(line)
  }
  const log = pino({ level: 'info', base: null }, { write })
  const config = {
    publicUrl: 'https://matricula.example',
    authFailuresPerMinute: options.authFailuresPerMinute ?? 1000,
    allowedOrigins: options.allowedOrigins ?? [],
    trustedProxies: options.trustedProxies ?? null,
    ...(options.passwords !== undefined && { passwords: options.passwords }),
    metricsToken: null,
    mail: options.mail ?? null,
    cardGatewayUrl: options.cardGatewayUrl ?? 'http://127.0.0.1:9',
    secretKey: randomUUID(),
    webhookAllowedNetworks:
      options.webhookAllowedNetworks === undefined ? [] : parseNetworks(options.webhookAllowedNetworks),
    // No test asks name servers of others.
    webhookCalls: { nameServers: ['127.0.0.1:9'], ...options.webhookCalls },
    ...(options.patience !== undefined && { patience: options.patience }),
    ...(options.portal !== undefined && { portal: options.portal }),
  }
  const folder = await mkdtemp(join(tmpdir(), 'matricula-files-'))
  const store = options.store ?? (await DiskFileStore.open({ folder, ...config }))
  const files = { store, scanner: options.scanner ?? null }
  const listening = async (on: Database) => {
    const app = createApp(config, on, files, log)
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { app, address: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
  }
  const { app, address } = await listening(data)
  const others: (() => Promise<void>)[] = []
  const beside = async () => {
    const own = new Database(database.connection, { forbidsNesting: true })
    const other = await listening(own)
    others.push(async () => {
      await other.app.close()
      await own.close()
    })
    return other.address
  }
  const deliver = (on = data) => {
    const end = startDeliveries(on, deliverySender(config), log)
    let ending: Promise<void> | undefined
    const endOnce = () => {
      ending ??= end()
      return ending
    }
    others.unshift(endOnce)
    return endOnce
  }
  afterFile(async () => {
    for (const stop of others) await stop()
    await app.close()
    await store.close()
    await rm(folder, { recursive: true, force: true })
    await data.close()
    await database.drop()
    assert.deepEqual(lockFaults, [])
  })

  const tenant = async (settings: Partial<TenantSettings> = {}): Promise<TestTenant> => {
    const id = newId()
    const slug = `school-${randomUUID().slice(0, 8)}`
    const record = await asOwner(database.connection, id, async (tx) => {
      const created = await createTenant(tx, slug, { name: `School ${slug}`, ...settings })
      seedTenant(tx)
      return created
    })
    if (settings.status !== undefined) {
      await asOwner(database.connection, id, (tx) => updateTenant(tx, slug, settings))
    }
    const token = async (key: Partial<NewApiKey> = {}) => {
      const context = { ...operator, tenant: record }
      const { apiKey, secret } = await data.transaction(id, (tx) =>
        createApiKey(tx, context, { ...everything, ...key }),
      )
      return { id: apiKey.id, secret, api: new Caller(address, secret) }
    }
    return {
      ...record,
      token,
      api: (await token()).api,
      change: async (changes) => {
        await asOwner(database.connection, id, (tx) => updateTenant(tx, slug, changes))
      },
      traces: async (entityId) => {
        const audit = await database.inspect<{ action: string }>(
          'select action from audit_entries where tenant_id = $1 and entity_id = $2 order by occurred_at, id',
          [id, entityId],
        )
        const events = await database.inspect<{ type: string; changed: string[] }>(
          'select type, changed from events where tenant_id = $1 and entity_id = $2 order by position',
          [id, entityId],
        )
        return {
          audit: audit.map((row) => row.action),
          events: events.map((row) => row.type),
          changed: events.map((row) => row.changed),
        }
      },
    }
  }
  const sendFile = (url: string, init: RequestInit) => fetch(url.replace(config.publicUrl, address), init)
  const { secretKey } = config
  return {
    database,
    data,
    files,
    app,
    address,
    secretKey,
    logged,
    tenant,
    sendFile,
    anonymous: new Caller(address, null),
    beside,
    deliver,
  }
}

const everything: NewApiKey = {
  kind: 'client',
  name: 'everything',
  scopes: [...activeScopes, ...extensionScopes],
  masterDomains: domains,
  roles: [],
  requestsPerMinute: 1_000_000,
  expiresInSeconds: null,
}
