import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports that no system gives to whoever asks for any: between a look and its use none of these goes to somebody's connection. */
const [first, last] = [20_000, 29_999]

// Processes that look at once look at different places.
let next = randomInt(first, last + 1)

/** A port of this machine that nobody listens on; each call gives another. */
export async function freePort(): Promise<number> {
  const port = next
  next = port === last ? first : port + 1
  return (await isFree(port)) ? port : freePort()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
