import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

/** A delivery as it came. */
export interface Received {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly body: any
}

/** Somebody who takes deliveries. */
export interface Receiver {
  readonly url: string
  readonly port: number
  /** What came, in its order. */
  readonly received: Received[]
  /** How many connections were opened. */
  connections: number
  /** What is answered from now on; 204 unless told otherwise. */
  answer: (request: Received, response: ServerResponse) => void
  close(): void
}

/** Starts a receiver on an address of the loopback for the test file, with TLS where it is given a certificate. */
export async function startReceiver(tls: ServerOptions = {}, host = '127.0.0.1'): Promise<Receiver> {
  const receiver = { received: [] as Received[], connections: 0, url: '', port: 0, close: () => {} } as Receiver & {
    url: string
    port: number
  }
  receiver.answer = (_, response) => response.writeHead(204).end()
  const take: RequestListener = (request, response) => {
    void loadText(request).then((raw) => {
      const delivery = {
        at: Date.now(),
        method: request.method as string,
        path: request.url as string,
        headers: request.headers as Record<string, string>,
        raw,
        body: raw === '' ? null : JSON.parse(raw),
      }
      receiver.received.push(delivery)
      receiver.answer(delivery, response)
    })
  }
  const server = tls.cert === undefined ? createServer(take) : createTlsServer(tls, take)
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
 * Whether the first attempts at an endpoint left in the order of their events. It is asked of what was noted: connections overtake
 * each other on the way to a receiver that has no time.
 */
export async function leftInOrder({ database }: TestService, webhookId: string): Promise<boolean> {
  const rows = await database.inspect<{ at: string }>(
    `select attempts -> 0 ->> 'at' as at from webhook_deliveries
      where webhook_id = $1 and position is not null and attempts <> '[]' order by position`,
    [webhookId],
  )
  return rows.every(({ at }, index) => index === 0 || at >= (rows[index - 1]?.at as string))
}

/** Starts somebody who speaks no HTTP: `speak` does with each connection what it likes. */
export async function startTalker(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    speak(socket)
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

async function loadText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
