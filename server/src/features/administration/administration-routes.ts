import { administrationOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/index.ts'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../identity/index.ts'
import { type BackupFacts, readServiceState } from './service-state.ts'
import {
  endSessionsOfUser,
  inviteUser,
  listStaffUsers,
  type MailSending,
  mailPasswordLink,
  unlockUser,
  updateStaffUser,
} from './staff-users.ts'
import { asProblem, toNewToken, toToken } from './tokens.ts'

/** What administrators do without a shell. `readBackups` says when the service made a full backup. */
export function administrationRoutes(mail: MailSending, readBackups: BackupFacts): Route[] {
  return implement(administrationOperations, {
    listStaffUsers: (database, { context, query }) =>
      database.transaction(context.tenant.id, (tx) => listStaffUsers(tx, query.q)),
    inviteUser: async (tx, { context, body }) => plain(await inviteUser(tx, context, mail, body)),
    updateStaffUser: async (tx, { context, params, body }) =>
      plain(await updateStaffUser(tx, context, params.id, body.enabled)),
    mailPasswordLink: async (tx, { context, params }) => plain(await mailPasswordLink(tx, context, mail, params.id)),
    unlockUser: async (tx, { context, params }) => plain(await unlockUser(tx, context, params.id)),
    endSessionsOfUser: async (tx, { context, params }) => plain(await endSessionsOfUser(tx, context, params.id)),
    listApiTokens: async (database, { context }) =>
      (await database.transaction(context.tenant.id, (tx) => listApiKeys(tx, 'client'))).map(toToken),
    createApiToken: async (tx, { context, body }) => {
      const { name, scopes, masterDomains = [], requestsPerMinute = 600, expiresInDays = null } = body
      const made = await createApiKey(tx, context, {
        ...{ kind: 'client', name, roles: [], requestsPerMinute },
        scopes: [...new Set(scopes)],
        masterDomains: [...new Set(masterDomains)],
        expiresInSeconds: expiresInDays === null ? null : expiresInDays * 86_400,
      })
      return plain(toNewToken(made))
    },
    rotateApiToken: (tx, { context, params, body }) =>
      asProblem('token', async () => {
        const overlap = (body?.overlapHours ?? 24) * 3600
        return plain(toNewToken(await rotateApiKey(tx, context, params.id, 'client', overlap)))
      }),
    revokeApiToken: (tx, { context, params }) =>
      asProblem('token', async () => plain(toToken(await revokeApiKey(tx, context, params.id, 'client')))),
    readServiceState: async (database, { context }) =>
      plain(await readServiceState(database, context.tenant.id, mail.areSent, readBackups)),
  })
}

/** A record without an entity tag. */
const plain = <Item>(record: Item) => ({ record, entityTag: null })
