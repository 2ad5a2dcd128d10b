import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from '../runner/file-end.ts'

/** When a call is cut: before the service hears of it, in the middle of it, or when it is done and its answer on its way. */
export const cuts = ['before', 'during', 'after'] as const
export type Cut = (typeof cuts)[number]

/** A line to the service that can be cut. */
export interface CutConnection {
  readonly address: string
  /** Cuts the next calls of this kind, as many as said. */
  cut(when: Cut, method: string, path: RegExp, times?: number): void
  /** How many calls were cut. */
  readonly cutCount: number
}

/** Lays a line between a browser and a service. Each call has a connection of its own, so that no browser repeats one unasked. */
export async function openCutConnection(target: string): Promise<CutConnection> {
  let plan: { when: Cut; method: string; path: RegExp; times: number } | null = null
  let cutCount = 0
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    response.shouldKeepAlive = false
    if (plan === null || plan.times === 0 || plan.method !== method || !plan.path.test(url)) {
      return void pass(target, request, response)
    }
    plan.times -= 1
    cutCount += 1
    if (plan.when === 'before') return request.socket.destroy()
    return plan.when === 'during' ? void cutInTheMiddle(target, request) : void respondToNobody(target, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (when, method, path, times = 1) => {
      plan = { when, method, path, times }
    },
    get cutCount() {
      return cutCount
    },
  }
}

function onward(target: string, { method, url, headers }: IncomingMessage) {
  return httpRequest(target + url, { method, headers: { ...headers, connection: 'close' } })
}

function pass(target: string, request: IncomingMessage, response: ServerResponse): void {
  const sent = onward(target, request)
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode as number, { ...answer.headers, connection: 'close' })
    answer.pipe(response)
  })
  sent.on('error', () => request.socket.destroy())
  request.pipe(sent)
}

/** Lets half of what is sent through, or where nothing is sent, half of nothing of the answer. */
async function cutInTheMiddle(target: string, request: IncomingMessage): Promise<void> {
  const sent = onward(target, request)
  sent.on('error', () => {})
  const body = await loadBody(request)
  if (body.length === 0) return void sent.on('response', () => request.socket.destroy()).end()
  sent.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    sent.destroy()
    request.socket.destroy()
  })
}

/** Lets all of it through, and ends the connection when the service has answered. */
async function respondToNobody(target: string, request: IncomingMessage): Promise<void> {
  const sent = onward(target, request)
  sent.on('error', () => request.socket.destroy())
  sent.on('response', (response) => {
    response.resume().on('end', () => request.socket.destroy())
  })
  sent.end(await loadBody(request))
}

async function loadBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
