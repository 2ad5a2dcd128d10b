import { CommandError } from '../errors/index.ts'

const secondsPerUnit = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Seconds of a duration: a number with s, m, h or d. Throws `CommandError`. */
export function parseDuration(text: string): number {
  const parts = /^(\d{1,9})([smhd])$/.exec(text)
  if (parts === null && text !== '0') {
    throw new CommandError('invalid_value', `${text} is no duration. Write a number with s, m, h or d, such as 24h.`)
  }
  return parts === null ? 0 : Number(parts[1]) * secondsPerUnit[parts[2] as keyof typeof secondsPerUnit]
}
