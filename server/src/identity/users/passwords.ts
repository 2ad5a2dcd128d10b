import { randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { CommandError } from '../../errors/index.ts'
import { normalForm } from '../../values/index.ts'

/**
 * The cost of new passwords: Argon2id with 64 MiB and three passes, the memory and passes of the second choice of RFC 9106
 * §4 and above the least that OWASP names. `npm run bench -- passwords` prints what it takes.
 */
export const passwordCost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const

const currentForm = `$argon2id$v=19$m=${passwordCost.memoryCost},t=${passwordCost.timeCost},p=${passwordCost.parallelism}$`

/** What is stored in no case, with the cost of new passwords: for users where there is nobody to measure them by. */
const nobodys = `${currentForm}${'A'.repeat(22)}$${'A'.repeat(43)}`

/** The fewest and the most characters of a password. The most bounds the work, not the strength. */
export const passwordLength = { minimum: 10, maximum: 1024 } as const

/** Throws `CommandError` for a password that is too short or too long. */
export function requirePassword(password: string): void {
  if (!isTooLong(password) && [...password].length >= passwordLength.minimum) return
  throw new CommandError(
    'invalid_value',
    `The password must have ${passwordLength.minimum} to ${passwordLength.maximum} characters. A sentence is fine.`,
  )
}

/** Whether a text is longer than any password. A character takes one or two units of a string. */
export function isTooLong(text: string): boolean {
  return text.length > 2 * passwordLength.maximum || [...text].length > passwordLength.maximum
}

/** What is stored of a password, in the form of PHC strings: the algorithm, its cost, the salt and the hash. */
export function hashOfPassword(password: string): Promise<string> {
  return hash(typed(password), passwordCost)
}

/** Whether a password that is right should be stored anew, because what is stored of it has another cost than new ones. */
export function isOutdated(storedHash: string): boolean {
  return !storedHash.startsWith(currentForm)
}

/** Whether a password is the stored one; null is nobody's, which none is and which takes as long as a new one. */
export function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const parts = scryptForm.exec(storedHash ?? '')
  return parts === null ? verify(storedHash ?? nobodys, typed(password)) : isScryptOf(password, parts)
}

/** Passwords that were stored before: scrypt (RFC 7914) with its cost, the salt and the hash. */
const scryptForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

async function isScryptOf(password: string, parts: RegExpExecArray): Promise<boolean> {
  const [, logN, r, p, salt, hashed] = parts as unknown as [string, string, string, string, string, string]
  const expected = Buffer.from(hashed, 'base64')
  const N = 2 ** Number(logN)
  const options: ScryptOptions = { N, r: Number(r), p: Number(p), maxmem: 2 * 128 * Number(r) * N }
  const derived = await new Promise<Buffer>((resolve, reject) => {
    scrypt(typed(password), Buffer.from(salt, 'base64'), expected.length, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
  return timingSafeEqual(derived, expected)
}

/** Typed on another keyboard, the same characters may come in another form (NIST SP 800-63B §5.1.1.2). */
function typed(password: string): string {
  return normalForm(password, 'NFKC')
}

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 20 letters and digits that are not taken for one another (116 bits). */
export function newPassword(): string {
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}
