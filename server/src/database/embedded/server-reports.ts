import { constants, copyFile, open, rm } from 'node:fs/promises'

/** What the server says of itself, without its words, which may quote what somebody keeps. */
export interface ServerReport {
  readonly kind: 'checkpoints_too_frequent' | 'process_crashed' | 'crash_recovery' | 'other'
  readonly severity: 'LOG' | 'WARNING' | 'ERROR' | 'FATAL' | 'PANIC'
  /** The SQLSTATE; `00000` where nothing failed. */
  readonly sqlstate: string
  /** What kind of process said it, such as `checkpointer`. */
  readonly process: string
}

/** The beginning of each line of the server's log: see `getLine`. */
export const logLinePrefix = '%m [%p] %b:%e '

const lines = /^\S+ \S+ \S+ \[\d+\] ([a-z ]+):([0-9A-Z]{5}) (LOG|WARNING|ERROR|FATAL|PANIC): {2}(.*)$/

/** Who knocks while the server starts is told to come again (`cannot_connect_now`): the service itself does at each start. */
const notYet = '57P03'

/** Reads a line of the server's log; null for what an operator need not know. */
export function findReport(line: string): ServerReport | null {
  const [, process, sqlstate, severity, text] = lines.exec(line) ?? []
  if (process === undefined || sqlstate === undefined || text === undefined) return null
  const kind = getKind(text)
  if (severity === 'LOG' && kind === 'other') return null
  if (sqlstate === notYet) return null
  return { kind, severity: severity as ServerReport['severity'], sqlstate, process }
}

function getKind(text: string): ServerReport['kind'] {
  if (text.startsWith('checkpoints are occurring too frequently')) return 'checkpoints_too_frequent'
  if (/ was terminated by (signal|exception)/.test(text)) return 'process_crashed'
  if (text.startsWith('database system was not properly shut down')) return 'crash_recovery'
  return 'other'
}

const everyMilliseconds = 1000
const maxBytesAtOnce = 1024 * 1024

/** How large the log grows before it is put aside, in the place of the one before. */
const maxBufferedBytes = 32 * 1024 * 1024

/**
 * Reads what the server writes to its log from now on, and tells what is for the operator. The log begins anew when a server
 * starts, and when it has become large: then the former one is beside it as `postgres.log.1`. Resolves to what ends it.
 */
export async function followLog(
  path: string,
  tell: (report: ServerReport) => void,
  maxBytes = maxBufferedBytes,
): Promise<() => void> {
  let offset = await loadSize(path)
  let rest = ''
  let isReading = false
  const read = async () => {
    const log = await open(path).catch(() => undefined)
    if (log === undefined) return
    try {
      const { size } = await log.stat()
      if (size < offset) offset = 0
      if (size === offset) return
      const { bytesRead, buffer } = await log.read(Buffer.alloc(Math.min(size - offset, maxBytesAtOnce)), {
        position: offset,
      })
      offset += bytesRead
      const read = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n')
      rest = (read.pop() ?? '').slice(0, maxBytesAtOnce)
      for (const line of read) {
        const report = findReport(line)
        if (report !== null) tell(report)
      }
      if (offset < size || size < maxBytes) return
      // The server goes on in the same file, at its new end, because it only appends.
      await putAside(path)
      offset = 0
    } finally {
      await log.close()
    }
  }
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    read()
      .catch(() => {}) // the next look reads it
      .finally(() => {
        isReading = false
      })
  }, everyMilliseconds).unref()
  return () => clearInterval(timer)
}

/** Copies a log beside itself and empties it. As root in another user's folder it follows no link that leads elsewhere. */
async function putAside(path: string): Promise<void> {
  const log = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW)
  try {
    await rm(`${path}.1`, { force: true })
    await copyFile(path, `${path}.1`, constants.COPYFILE_EXCL)
    await log.truncate(0)
  } finally {
    await log.close()
  }
}

async function loadSize(path: string): Promise<number> {
  const log = await open(path).catch(() => undefined)
  if (log === undefined) return 0
  try {
    return (await log.stat()).size
  } finally {
    await log.close()
  }
}
