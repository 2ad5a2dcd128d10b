import type { RecordType } from '@matricula/contract/record-types'
import { column, type Database, identifier, sql, type Transaction } from '../../../database/index.ts'
import { isSealed, type SecretSeal } from '../../../identity/index.ts'
import { listTenants } from '../../../tenancy/index.ts'
import type { AnyDocument } from '../../model/record-document.ts'
import type { RecordRegistry } from '../../model/record-registry.ts'
import { getTable } from '../../model/record-tables.ts'

const secretFields = new WeakMap<RecordType, readonly string[]>()

/** The fields of a type that hold secrets. */
export function getSecretFields(type: RecordType): readonly string[] {
  const known = secretFields.get(type)
  if (known !== undefined) return known
  const found = Object.entries(type.fields).flatMap(([name, field]) => (field.type === 'Password' ? [name] : []))
  secretFields.set(type, found)
  return found
}

/** Additional authenticated data: binds a ciphertext to its tenant, type and field. */
const getPurpose = (tenantId: string, type: RecordType, field: string) => `${tenantId} ${type.name} ${field}`

/** Encrypts the new secrets of a record. An unchanged one keeps its stored ciphertext. */
export function encryptSecrets(
  seal: SecretSeal | null,
  tenantId: string,
  type: RecordType,
  document: AnyDocument,
  before: AnyDocument | null,
): void {
  for (const field of getSecretFields(type)) {
    const value = document[field]
    const stored = before?.[field]
    if (typeof value !== 'string' || value === '' || value === stored) continue
    if (seal === null) throw new Error(`a secret of ${type.name} cannot be stored without a key`)
    const purpose = getPurpose(tenantId, type, field)
    const isSame = typeof stored === 'string' && seal.isOwn(stored) && seal.open(stored, purpose) === value
    document[field] = isSame ? stored : seal.seal(value, purpose)
  }
}

/** The secret in a field of a record, as it is stored; null where there is none. Throws `SealError`. */
export function openSecret(
  seal: SecretSeal | null,
  tenantId: string,
  type: RecordType,
  field: string,
  stored: string | null,
): string | null {
  if (stored === null || stored === '') return null
  if (seal === null) throw new Error(`a secret of ${type.name} cannot be read without a key`)
  return seal.open(stored, getPurpose(tenantId, type, field))
}

/** What to do about secrets encrypted under another key. */
export const foreignSecrets =
  'Stored secrets were encrypted under another SECRET_KEY. Start the service with that one again, or enter the secrets anew in Education Settings.'

const getTypes = (registry: RecordRegistry) => registry.all().map(({ type }) => type)

/** The stored secrets of a tenant. */
export interface SecretsReport {
  readonly tenant: string
  /** Secrets that were stored in plain text and are encrypted now. */
  readonly sealed: number
  /** Secrets that were encrypted under another key and cannot be decrypted. */
  readonly foreign: number
}

/**
 * Encrypts secrets of records that an earlier version stored in plain text; returns the counts per tenant that has any,
 * and of those that cannot be decrypted.
 */
export async function encryptStoredSecrets(
  database: Database,
  registry: RecordRegistry,
  seal: SecretSeal,
): Promise<SecretsReport[]> {
  const withSecrets = getTypes(registry).filter((type) => getSecretFields(type).length > 0)
  const reports: SecretsReport[] = []
  for (const { id, slug } of await listTenants(database)) {
    const counts = await database.transaction(id, async (tx) => {
      const found = { sealed: 0, foreign: 0 }
      for (const type of withSecrets) {
        for (const field of getSecretFields(type)) {
          const { sealed, foreign } = await encryptColumn(tx, type, field, seal)
          found.sealed += sealed
          found.foreign += foreign
        }
      }
      return found
    })
    if (counts.sealed + counts.foreign > 0) reports.push({ tenant: slug, ...counts })
  }
  return reports
}

/** How many stored secrets are not encrypted, and how many were encrypted under another key, of all tenants. */
export async function countUnreadableSecrets(
  query: (text: string) => Promise<{ secret: string }[]>,
  registry: RecordRegistry,
  seal: SecretSeal,
): Promise<{ readonly plain: number; readonly foreign: number }> {
  const counts = { plain: 0, foreign: 0 }
  for (const type of getTypes(registry)) {
    for (const field of getSecretFields(type)) {
      const name = identifier(field).text
      const rows = await query(`select ${name} as secret from ${identifier(getTable(type)).text} where ${name} <> ''`)
      for (const { secret } of rows) {
        if (!isSealed(secret)) counts.plain += 1
        else if (!seal.isOwn(secret)) counts.foreign += 1
      }
    }
  }
  return counts
}

async function encryptColumn(tx: Transaction, type: RecordType, field: string, seal: SecretSeal) {
  const table = identifier(getTable(type))
  const rows = await tx.query<{ id: string; secret: string }>(sql`
    select id, ${column(field)} as secret from ${table}
     where tenant_id = ${tx.tenantId} and ${column(field)} <> ''`)
  const plain = rows.filter(({ secret }) => !isSealed(secret))
  for (const { id, secret } of plain) {
    // Nothing visible changes, so `updated_at` and the version stay.
    await tx.query(sql`
      update ${table} set ${column(field)} = ${seal.seal(secret, getPurpose(tx.tenantId, type, field))}
       where tenant_id = ${tx.tenantId} and id = ${id} and ${column(field)} = ${secret}`)
  }
  const foreign = rows.filter(({ secret }) => isSealed(secret) && !seal.isOwn(secret))
  return { sealed: plain.length, foreign: foreign.length }
}
