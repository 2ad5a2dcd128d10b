import type { IssuerEntry, Static } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import {
  type IssuerSettings,
  issuerError,
  issuerSealPurpose,
  readIssuers,
  type StoredIssuer,
  saveIssuer,
  toReport,
} from '../../identity/identity-providers/index.ts'
import { SecretSeal } from '../../identity/index.ts'
import { listRoles } from '../../identity/users/index.ts'
import type { ConfigurationError } from './configuration-file.ts'
import type { PlannedWrite } from './planned-change.ts'
import { differences } from './settings-differences.ts'

/** What a file's issuers come to. A secret is stored whenever the file has one, and told to nobody. */
export async function planIssuers(
  tx: Transaction,
  secretKey: string,
  entries: readonly Static<typeof IssuerEntry>[],
): Promise<{ readonly writes: PlannedWrite[]; readonly faults: ConfigurationError[] }> {
  const writes: PlannedWrite[] = []
  const validationErrors: ConfigurationError[] = []
  if (entries.length === 0) return { writes, faults: validationErrors }
  const seal = new SecretSeal(secretKey)
  const known = await readIssuers(tx)
  const roles = new Set((await listRoles(tx)).map(({ name }) => name))
  for (const [index, { clientSecret, ...entry }] of entries.entries()) {
    const before = known.get(entry.key) ?? null
    const after = laidOver(before, entry)
    const isAgain = entries.findIndex(({ key }) => key === entry.key) !== index
    const unknownRole = after.newUserRoles.find((role) => !roles.has(role))
    const validationError = isAgain
      ? `${entry.key} appears twice; combine the entries`
      : before === null && clientSecret === undefined
        ? 'clientSecret is missing: a new issuer needs the one that it gave with the client id'
        : unknownRole !== undefined
          ? `newUserRoles names ${unknownRole}, which is no role: matricula role list shows them`
          : issuerError(after)
    if (validationError !== null) {
      validationErrors.push({ path: ['issuers', index, 'key'], detail: validationError })
      continue
    }
    const isNewSecret = clientSecret !== undefined && (before === null || !isSame(before, clientSecret))
    const changes = [
      ...(before === null ? [] : differences(toReport(before), after)),
      ...(isNewSecret && before !== null ? [{ path: 'clientSecret', before: 'stored', after: 'another' }] : []),
    ]
    if (before !== null && changes.length === 0) continue
    const secret = isNewSecret ? clientSecret : null
    const write: PlannedWrite['write'] = (inside, context) =>
      saveIssuer(inside, context, seal, { before, after, secret })
    const action = before === null ? 'create' : before.isActive && !after.isActive ? 'deactivate' : 'change'
    writes.push({ action, kind: 'issuers', key: entry.key, changes, write })
  }
  return { writes, faults: validationErrors }

  function isSame({ key, sealedSecret }: StoredIssuer, secret: string): boolean {
    return seal.isOwn(sealedSecret) && seal.open(sealedSecret, issuerSealPurpose(tx.tenantId, key)) === secret
  }
}

function laidOver(
  before: IssuerSettings | null,
  entry: Omit<Static<typeof IssuerEntry>, 'clientSecret'>,
): IssuerSettings {
  const { domains, ...said } = entry
  return {
    domains: [],
    trustsAddresses: false,
    createsUsers: false,
    newUserRoles: [],
    isActive: true,
    ...(before !== null && toReport(before)),
    ...said,
    ...(domains !== undefined && { domains: domains.map((domain) => domain.toLowerCase()) }),
  }
}
