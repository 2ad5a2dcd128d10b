import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { LogLines } from './log-lines.ts'

const warning = pino.levels.values.warn ?? 40

let latest = { at: 0, text: '' }

/** The moment of a line (RFC 3339), put into words once for all lines of its millisecond. */
function stampOfLine(): string {
  const at = Date.now()
  if (at !== latest.at) latest = { at, text: `,"time":"${new Date(at).toISOString()}"` }
  return latest.text
}

/**
 * The service's log: one JSON object per line, or readable lines on a terminal. Nothing is logged but named facts, so
 * that tokens, bodies and personal data have no way into it.
 *
 * Lines of JSON are written together, at the latest after half a second, and at once from a warning on: what stood
 * before it then is there too. What waits is written when the process ends, however it ends by itself; a SIGKILL
 * loses it, and so does a disk that is full, see `LogLines`.
 */
export async function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const options = { level: config.logLevel, base: null, timestamp: stampOfLine }
  if (config.logFormat !== 'json') {
    const { default: pretty } = await import('pino-pretty')
    return pino(
      options,
      pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true }),
    )
  }
  const lines = new LogLines()
  process.once('exit', () => lines.flushSync())
  const destination = {
    // Asks for the level of each line.
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    write(line: string) {
      lines.write(line)
      if (this.lastLevel >= warning) lines.flushSync()
    },
  }
  return pino(options, destination)
}
