import { randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { normalForm } from '../normal-form.ts'

/** The cost of new passwords: scrypt (RFC 7914) with N = 2^17, r = 8, p = 1, as OWASP advises. One takes 128 MiB. */
const cost = { logN: 17, r: 8, p: 1 } as const
const hashBytes = 32
const stored = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

/** The fewest and the most characters of a password. The most bounds the work, not the strength. */
export const passwordLength = { minimum: 10, maximum: 1024 } as const

/** A password that cannot be taken; the message says what would be. */
export class PasswordError extends Error {}

/** Throws `PasswordError` for a password that is too short or too long. */
export function requirePassword(password: string): void {
  const length = [...password].length
  if (length >= passwordLength.minimum && length <= passwordLength.maximum) return
  throw new PasswordError(
    `The password must have ${passwordLength.minimum} to ${passwordLength.maximum} characters. A sentence is fine.`,
  )
}

/** What is stored of a password: the parameters of scrypt, the salt and the hash. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost.logN, cost.r, cost.p)
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${text(salt)}$${text(hash)}`
}

/**
 * Whether a password is the stored one. Takes as long for a user who has none, or who does not exist (null), so that
 * nobody learns from the time which users there are.
 */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const parts = storedHash === null ? null : stored.exec(storedHash)
  if (parts === null) {
    await derive(password, randomBytes(16), cost.logN, cost.r, cost.p)
    return false
  }
  const [, logN, r, p, salt, hash] = parts as unknown as [string, string, string, string, string, string]
  const derived = await derive(password, Buffer.from(salt, 'base64'), Number(logN), Number(r), Number(p))
  const expected = Buffer.from(hash, 'base64')
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 20 letters and digits that are not taken for one another (116 bits). */
export function newPassword(): string {
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}

/** More at once would need gigabytes; the others wait for their turn. */
const mostAtOnce = 2
let working = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, logN: number, r: number, p: number): Promise<Buffer> {
  if (working >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else working += 1
  try {
    const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 2 * 128 * r * 2 ** logN }
    return await new Promise((resolve, reject) => {
      // Typed on another keyboard, the same characters may come in another form (NIST SP 800-63B §5.1.1.2).
      scrypt(normalForm(password, 'NFKC'), salt, hashBytes, options, (error, key) => {
        if (error) reject(error)
        else resolve(key)
      })
    })
  } finally {
    const next = waiting.shift()
    if (next === undefined) working -= 1
    else next()
  }
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/(?<!=)=+$/, '')
}
