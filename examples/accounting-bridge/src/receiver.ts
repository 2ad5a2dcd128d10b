import { createServer, type IncomingMessage, type Server } from 'node:http'
import { verifyWebhook, WebhookRefused } from '@matricula/client'

interface ReceiverSettings {
  /** `whsec_…`; several, separated by blanks, while it is being replaced. */
  readonly secret: string
  /** Called for each webhook that is what it says. It is asked for again later where this fails. */
  readonly onWebhook: (type: string) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

/** Far more than a webhook has, in bytes. */
const largestBody = 64 * 1024

/** A server that takes webhooks at `POST /webhooks`: 204 once one is dealt with, 400 for what is not signed with the secret. */
export function createReceiver({ secret, onWebhook, onFailure }: ReceiverSettings): Server {
  const answer = async (request: IncomingMessage): Promise<number> => {
    if (request.url !== '/webhooks') return 404
    if (request.method !== 'POST') return 405
    try {
      const body = await readBody(request)
      if (body === null) return 413
      const { type } = await verifyWebhook(body, request.headers, secret.split(' '))
      await onWebhook(type)
      return 204
    } catch (error) {
      if (error instanceof WebhookRefused) return 400
      onFailure(error)
      return 503
    }
  }
  return createServer({ requestTimeout: 10_000 }, async (request, response) => {
    const status = await answer(request)
    response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end()
  })
}

/** The body as it came; null where it is larger than a webhook can be. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length
    if (size > largestBody) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}
