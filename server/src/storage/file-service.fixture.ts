import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { addRequestTimeouts, defaultRequestTimeouts, type RequestTimeouts } from '../http/lifecycle/request-timeouts.ts'
import { addBodyParser } from '../http/operations/body-parser.ts'
import { asProblem, problemForm, sendProblem } from '../http/operations/problem-response.ts'
import type { EncryptedFileStore } from './encryption/encrypted-file-store.ts'
import { openFileStore } from './open-file-store.ts'
import { addFileRoutes } from './routes/file-routes.ts'
import { onlyUser } from './storage-user.fixture.ts'

/** Files in a folder, or elsewhere, and the service that answers their signed addresses. */
export interface FileService {
  readonly store: EncryptedFileStore
  readonly folder: string
  readonly app: FastifyInstance
  /** A signed address as it is reached here. */
  reach(url: string): string
  stop(): Promise<void>
}

const publicUrl = 'https://files.example/service'

export async function startFileService(
  options: {
    folder?: string
    timeouts?: RequestTimeouts
    filesKey?: string | null
    storageUrl?: string
    secretKey?: string
  } = {},
): Promise<FileService> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'matricula-files-')))
  const { filesKey = null, storageUrl = null, secretKey = 'a secret key of this very test, long enough' } = options
  const store = await openFileStore({ storageUrl, dataDir: folder, secretKey, publicUrl, filesKey }, onlyUser)
  const app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, asProblem(error), problemForm(publicUrl)))
  addBodyParser(app)
  addRequestTimeouts(app, options.timeouts ?? defaultRequestTimeouts)
  addFileRoutes(app, store)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    store,
    folder,
    app,
    reach: (url) => url.replace(publicUrl, address),
    stop: async () => {
      await app.close()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a process that runs only such a service tells, and answers to the message `memory`. */
export interface ServiceMessage {
  readonly address?: string
  /** Memory of the process now, and the most that it ever had, in bytes. */
  readonly now?: number
  readonly most?: number
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
  const { reach } = await startFileService({ folder: process.argv[2] as string, filesKey: process.argv[3] ?? null })
  process.on('message', () => {
    const max = process.resourceUsage().maxRSS * 1024
    process.send?.({ now: process.memoryUsage.rss(), most: max } satisfies ServiceMessage)
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ address: reach(publicUrl) } satisfies ServiceMessage)
}
