import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/**
 * Lines are written together: whole ones, up to what a pipe takes in one piece, so that those of several processes do not mix
 * (POSIX, PIPE_BUF), and at the latest after some milliseconds.
 */
const mostBytesAtOnce = 4096
const usualBytesAtOnce = 3584
const latestAfterMilliseconds = 500

const warning = pino.levels.values.warn ?? 40

/**
 * The service's log: one JSON object per line, or readable lines on a terminal. Nothing is logged but named facts, so that
 * tokens, bodies and personal data have no way into it.
 *
 * Lines of JSON are written together, at the latest after half a second, and at once from a warning on: what stood before it then
 * is there too. What waits is written when the process ends, however it ends by itself; only a SIGKILL loses it.
 */
export function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (config.logFormat !== 'json') {
    return pino(
      options,
      pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true }),
    )
  }
  const lines = pino.destination({
    minLength: usualBytesAtOnce,
    maxWrite: mostBytesAtOnce,
    periodicFlush: latestAfterMilliseconds,
    // What is on its way by another thread would be lost with the process, and a warning would come before it.
    sync: true,
  })
  process.once('exit', () => lines.flushSync())
  const hooks = {
    logMethod(this: Logger, words: Parameters<pino.LogFn>, write: pino.LogFn, level: number) {
      write.apply(this, words)
      if (level >= warning) lines.flushSync()
    },
  }
  return pino({ ...options, hooks }, lines)
}
