import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

/** A received delivery. */
export interface Received {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect it
  readonly body: any
}

/** An HTTP server that receives deliveries. */
export interface Receiver {
  readonly url: string
  readonly port: number
  /** Received deliveries, in order of arrival. */
  readonly received: Received[]
  /** The number of connections opened so far. */
  connections: number
  /** The response from now on; 204 by default. */
  respond: (request: Received, response: ServerResponse) => void
  close(): void
}

/** Starts a receiver on a loopback address for the test file, with TLS when it is given a certificate. */
export async function startReceiver(tls: ServerOptions = {}, host = '127.0.0.1'): Promise<Receiver> {
  const receiver = { received: [] as Received[], connections: 0, url: '', port: 0, close: () => {} } as Receiver & {
    url: string
    port: number
  }
  receiver.respond = (_, response) => response.writeHead(204).end()
  const handleRequest: RequestListener = (request, response) => {
    void readBody(request).then((raw) => {
      const delivery = {
        at: Date.now(),
        method: request.method as string,
        path: request.url as string,
        headers: request.headers as Record<string, string>,
        raw,
        body: raw === '' ? null : JSON.parse(raw),
      }
      receiver.received.push(delivery)
      receiver.respond(delivery, response)
    })
  }
  const server = tls.cert === undefined ? createServer(handleRequest) : createTlsServer(tls, handleRequest)
  server.on('connection', () => {
    receiver.connections += 1
  })
  receiver.port = await listen(server, host)
  receiver.url = `${tls.cert === undefined ? 'http' : 'https'}://${host}:${receiver.port}/hook`
  receiver.close = () => {
    server.close()
    server.closeAllConnections()
  }
  afterFile(receiver.close)
  return receiver
}

/**
 * Whether the first attempts at an endpoint were made in the order of their events, by the recorded attempts: requests
 * may overtake each other on the way to a busy receiver.
 */
export async function wereSentInOrder({ database }: TestService, webhookId: string): Promise<boolean> {
  const rows = await database.inspect<{ at: string }>(
    `select attempts -> 0 ->> 'at' as at from webhook_deliveries
      where webhook_id = $1 and position is not null and attempts <> '[]' order by position`,
    [webhookId],
  )
  return rows.every(({ at }, index) => index === 0 || at >= (rows[index - 1]?.at as string))
}

/** Starts a TCP server without HTTP: `speak` handles each connection. */
export async function startTcpServer(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    handle(socket)
  })
  const port = await listen(server)
  afterFile(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${port}/hook`
}

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
