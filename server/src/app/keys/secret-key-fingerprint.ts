import { createHmac } from 'node:crypto'
import { asOwner, type Connection, noTenant, sql } from '../../database/index.ts'

/** What an operator is told of a SECRET_KEY that is not the one of before. */
export const anotherSecretKey =
  'SECRET_KEY is not the one that this database was used with before. Links that were given out, sessions, and secrets that are kept encrypted do not work with it: start the service with the former key again. Where it is lost for good, run on the database: delete from secret_key_marks'

/** Fingerprint of a SECRET_KEY, which does not reveal it: 16 hexadecimal digits. */
export function getFingerprint(secretKey: string): string {
  return createHmac('sha256', secretKey).update('matricula secret key fingerprint').digest('hex').slice(0, 16)
}

/** Whether a SECRET_KEY is that of this database; the first one that comes is. */
export async function isOwnSecretKey(connection: Connection, secretKey: string): Promise<boolean> {
  const fingerprint = getFingerprint(secretKey)
  return asOwner(connection, noTenant, async (tx) => {
    const recorded = await tx.query<{ fingerprint: string }>(sql`select fingerprint from secret_key_marks`)
    if (recorded.length > 0) return recorded.some((mark) => mark.fingerprint === fingerprint)
    const [setting] = await tx.query<{ only: string }>(sql`select current_setting('transaction_read_only') as only`)
    if (setting?.only === 'on') return true
    await tx.query(sql`insert into secret_key_marks (fingerprint) values (${fingerprint}) on conflict do nothing`)
    return true
  })
}
