import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from '../../app/composition.ts'
import { type Connection, Database } from '../../database/index.ts'
import { DiskFileStore } from '../../storage/backends/disk-file-store.ts'

/** A message of a process that runs only the service. */
export interface MemoryMessage {
  readonly address?: string
  /** The resident set size after garbage collection, in bytes. */
  readonly resident?: number
}

/**
 * Runs the service on the database of the first message, and replies to every other message with its resident set size.
 */
async function run(connection: Connection): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-memory-'))
  const settings = { secretKey: 'the secret key of a service under test', publicUrl: 'https://matricula.example' }
  const database = new Database(connection)
  const store = await DiskFileStore.open({ folder, ...settings })
  const config = {
    ...settings,
    authFailuresPerMinute: 1000,
    trustedProxies: null,
    metricsToken: null,
    mail: null,
    cardGatewayUrl: 'http://127.0.0.1:9',
    webhookAllowedNetworks: [],
    allowedOrigins: [],
  }
  const app = createApp(config, database, { store, scanner: null }, pino({ level: 'silent' }))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  process.on('message', async () => {
    const min = Math.min(...(await Promise.all([settled(0), settled(200), settled(1000), settled(3000)])))
    process.send?.({ resident: min } satisfies MemoryMessage)
  })
  process.on('disconnect', async () => {
    await app.close()
    await store.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })
  process.send?.({ address } satisfies MemoryMessage)
}

/** Buffers are freed by the garbage collection after the one that finds them, some of them by another thread. */
async function settled(milliseconds: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  const { gc } = globalThis as { gc?: () => void }
  gc?.()
  await new Promise((resolve) => setImmediate(resolve))
  gc?.()
  return process.memoryUsage.rss()
}

process.once('message', (connection: Connection) => void run(connection))
