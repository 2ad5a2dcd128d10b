import type { Readable } from 'node:stream'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/** A message of the server's as `pg` takes it, and what it is called when it is told. */
interface Message {
  readonly name: string
}

/** What the parser of `pg` has, and its published types leave out. */
interface InsideOfParser {
  parse(bytes: Buffer, take: (message: Message) => void): void
  /** Reads the message of a code whose body begins at an offset; its length counts itself, and not the code. */
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message
}

interface InsideOfConnection {
  /** Begins to read the messages that come over a stream, a second time where it is secured. */
  attachListeners(stream: Readable): void
  emit(event: string, message: Message): void
}

/** DataRow (PostgreSQL manual, "Message Formats"). */
const rowCode = 'D'.charCodeAt(0)

/** A row of more bytes is left to `pg`: its texts would hold all of it in memory as long as one of them is in use. */
const maxAtOnce = 4 * 1024

/** What stands for the length of a text that is null. */
const nullLength = -1

/**
 * A client of `pg` that makes one text of a whole row, and those of its columns parts of it: to ask for each by itself took two thirds of
 * the time of reading a row. A column with other characters than ASCII is asked for by itself, because its bytes are not its characters.
 */
export class RowClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: InsideOfConnection }
    connection.attachListeners = (stream) => {
      const parser = parserOfRows()
      const take = (message: Message) =>
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
      stream.on('data', (bytes: Buffer) => parser.parse(bytes, take))
    }
  }
}

/** The parser of `pg`, for all messages but short rows. */
export function parserOfRows(): InsideOfParser {
  const parser = new Parser() as unknown as InsideOfParser
  const others = parser.handlePacket.bind(parser)
  parser.handlePacket = (offset, code, length, bytes) =>
    code === rowCode && length <= maxAtOnce ? rowMessage(offset, length, bytes) : others(offset, code, length, bytes)
  return parser
}

function rowMessage(start: number, length: number, bytes: Buffer): Message {
  const row = bytes.toString('latin1', start, start + length - 4)
  const fieldCount = bytes.readInt16BE(start)
  const fields: (string | null)[] = new Array(fieldCount)
  let offset = start + 2
  for (let index = 0; index < fieldCount; index += 1) {
    const size = bytes.readInt32BE(offset)
    offset += 4
    if (size === nullLength) {
      fields[index] = null
      continue
    }
    const end = offset + size
    fields[index] = isAscii(bytes, offset, end)
      ? row.substring(offset - start, end - start)
      : bytes.toString('utf8', offset, end)
    offset = end
  }
  return { name: 'dataRow', length, fieldCount, fields } as Message
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  let all = 0
  for (let offset = start; offset < end; offset += 1) all |= bytes[offset] as number
  return all < 128
}
