import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Reply =
  | { status: number; headers?: Record<string, string>; body?: object }
  | 'hang up'
  | 'say nothing'
  | 'answer late'

/** A service that gives these answers in turn, and the last one ever after. */
export async function aService(...replies: Reply[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const reply = replies[Math.min(requests.push(request), replies.length) - 1] as Reply
    if (reply === 'hang up') request.socket.destroy()
    else if (reply === 'answer late') setTimeout(answer, 300, { status: 200 })
    else if (reply !== 'say nothing') answer(reply)

    function answer({ status, headers, body }: Exclude<Reply, string>) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body ?? { data: { id: 'x' } }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
