import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/**
 * The service's log: one JSON object per line, or readable lines on a terminal. Nothing is logged but named facts, so that
 * tokens, bodies and personal data have no way into it.
 */
export function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (config.logFormat === 'json') return pino(options)
  return pino(
    options,
    pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true }),
  )
}
