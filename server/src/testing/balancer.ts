import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of several services, as operators put one there. */
export interface Balancer {
  readonly address: string
  /** The services that it sends requests to just now. */
  readonly ready: () => string[]
  /** How many requests each service got. */
  readonly sent: ReadonlyMap<string, number>
  /** Requests that it had no answer for: it repeats none. */
  readonly failures: readonly string[]
  close(): Promise<void>
}

/** How often it asks each service whether it is ready, in milliseconds. */
const lookEvery = 100

/** How long a service may take to say so, in milliseconds; then it counts as not ready. */
const patience = 2_000

/**
 * Sends each request to the next service that says at `/readyz` that it is ready, over connections that it keeps. It knows no
 * sessions, and repeats nothing: where a service breaks a connection, the client gets 502.
 */
export async function startBalancer(services: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  const sent = new Map<string, number>()
  const failures: string[] = []
  let turn = 0
  let isClosed = false

  const look = async (service: string): Promise<void> => {
    const isReady = await fetch(`${service}/readyz`, { signal: AbortSignal.timeout(patience) }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isReady) ready.add(service)
    else ready.delete(service)
    if (!isClosed) setTimeout(() => look(service), lookEvery).unref()
  }
  await Promise.all(services.map(look))

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const choice = [...ready]
    turn += 1
    const service = choice[turn % choice.length]
    const fail = (status: number, reason: string) => {
      failures.push(`${incoming.method} ${incoming.url} at ${service}: ${reason}`)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(status).end()
    }
    if (service === undefined) return fail(503, 'no service is ready')
    sent.set(service, (sent.get(service) ?? 0) + 1)
    const { connection: _, ...headers } = incoming.headers
    const from = incoming.headers['x-forwarded-for'] ?? incoming.socket.remoteAddress
    const passed = request(`${service}${incoming.url}`, {
      agent,
      method: incoming.method,
      headers: { ...headers, 'x-forwarded-for': from },
    })
    passed.once('error', (error) => fail(502, error.message))
    passed.once('response', (answer) => {
      const { connection: __, 'keep-alive': ___, ...told } = answer.headers
      outgoing.writeHead(answer.statusCode as number, told)
      answer.once('error', (error) => fail(502, error.message))
      answer.pipe(outgoing)
    })
    outgoing.once('close', () => outgoing.writableEnded || passed.destroy())
    incoming.pipe(passed)
  }

  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    sent,
    failures,
    close: async () => {
      isClosed = true
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}
