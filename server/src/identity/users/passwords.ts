import { randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { CommandError } from '../../errors/index.ts'
import { normalForm } from '../../values/index.ts'

/**
 * The cost of new passwords: Argon2id with 64 MiB and three passes, the memory and passes of the second choice of RFC
 * 9106 §4 and above the least that OWASP names. `npm run bench -- passwords` prints what it takes.
 */
export const passwordCost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const

const currentFormat = `$argon2id$v=19$m=${passwordCost.memoryCost},t=${passwordCost.timeCost},p=${passwordCost.parallelism}$`

/** A hash of no password, with the cost of new ones: verified for unknown users, against timing attacks. */
const dummyHash = `${currentFormat}${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Length of a password in characters. The maximum bounds the work of hashing. */
export const passwordLength = { minimum: 10, maximum: 1024 } as const

/** Throws `CommandError` for a password that is too short or too long. */
export function requirePassword(password: string): void {
  if (!isTooLong(password) && [...password].length >= passwordLength.minimum) return
  throw new CommandError(
    'invalid_value',
    `The password must have ${passwordLength.minimum} to ${passwordLength.maximum} characters. A sentence is fine.`,
  )
}

/** Whether a text exceeds the maximum length. A character is one or two UTF-16 units. */
export function isTooLong(text: string): boolean {
  return text.length > 2 * passwordLength.maximum || [...text].length > passwordLength.maximum
}

/** The hash of a password as a PHC string: algorithm, cost, salt and hash. */
export function hashOfPassword(password: string): Promise<string> {
  return hash(normalized(password), passwordCost)
}

/** Whether a hash should be renewed because its cost differs from that of new ones. */
export function isOutdated(storedHash: string): boolean {
  return !storedHash.startsWith(currentFormat)
}

/** Whether a password matches a hash; for null never, in the same time. */
export function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const parts = scryptForm.exec(storedHash ?? '')
  return parts === null ? verify(storedHash ?? dummyHash, normalized(password)) : isScryptOf(password, parts)
}

/** Hashes of earlier releases: scrypt (RFC 7914) with its cost, salt and hash. */
const scryptForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

async function isScryptOf(password: string, parts: RegExpExecArray): Promise<boolean> {
  const [, logN, r, p, salt, hashed] = parts as unknown as [string, string, string, string, string, string]
  const expected = Buffer.from(hashed, 'base64')
  const N = 2 ** Number(logN)
  const options: ScryptOptions = { N, r: Number(r), p: Number(p), maxmem: 2 * 128 * Number(r) * N }
  const derived = await new Promise<Buffer>((resolve, reject) => {
    scrypt(normalized(password), Buffer.from(salt, 'base64'), expected.length, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
  return timingSafeEqual(derived, expected)
}

/** Unicode normalization: keyboards produce the same characters in different forms (NIST SP 800-63B §5.1.1.2). */
function normalized(password: string): string {
  return normalForm(password, 'NFKC')
}

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A random password of 20 unambiguous letters and digits (116 bits). */
export function newPassword(): string {
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}
