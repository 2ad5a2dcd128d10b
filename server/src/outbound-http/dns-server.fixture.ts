import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'
import { afterFile } from '../testing/runner/file-end.ts'

/** A name server that answers what a test says. */
export interface TestNameServer {
  /** Where it listens, as resolvers take it. */
  readonly address: string
  /**
   * The addresses of each name from now on; of several lists each question takes the next one, and the last one
   * stays.
   */
  readonly names: Map<string, string[][]>
  /** The names that were asked for, in order, once for each kind of record. */
  readonly asked: string[]
}

const types = { A: 1, AAAA: 28 } as const

/**
 * Starts a name server on the loopback that answers questions for A and AAAA (RFC 1035, RFC 3596) until the test file
 * is done.
 */
export async function startNameServer(): Promise<TestNameServer> {
  const names = new Map<string, string[][]>()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = getQuestion(question)
    asked.push(`${type === types.A ? 'A' : 'AAAA'} ${name}`)
    const lists = names.get(name) ?? []
    const addresses = lists[0] ?? []
    // A and AAAA of one look-up are answered alike.
    if (lists.length > 1 && type === types.AAAA) lists.shift()
    const records = addresses.map((text) => ipaddr.parse(text)).filter((found) => getType(found) === type)
    const answers = records.map((found) => {
      const bytes = Buffer.from(found.toByteArray())
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]) // a pointer to the name, IN, kept for 0 s
      return Buffer.concat([head, bytes])
    })
    const header = Buffer.alloc(12)
    question.copy(header, 0, 0, 2)
    header.writeUInt16BE(names.has(name) ? 0x8180 : 0x8183, 2) // an answer, or that there is no such name
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, question.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  afterFile(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, names, asked }
}

function getType(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === 'ipv4' ? types.A : types.AAAA
}

function getQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] as number; length > 0; length = message[at] as number) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}
