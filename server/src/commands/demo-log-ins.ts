import { createHmac } from 'node:crypto'
import type { ChangeContext } from '../changes/index.ts'
import { type Database, sql } from '../database/index.ts'
import { hashOfPassword, setPassword } from '../identity/users/index.ts'

/** Somebody who may try the console. */
export interface DemoLogIn {
  readonly who: string
  readonly email: string
  readonly password: string
}

/** Whom the demo has a log-in for, by the role that somebody of each kind has. */
const people = [
  ['Administrator', 'System Manager'],
  ['Admissions', 'Admissions Officer'],
  ['Registrar', 'Academics User'],
  ['Teacher', 'Instructor'],
  ['Bursar', 'Accounts Manager'],
] as const

/**
 * The log-ins of a demo: of each kind the first user by name on the domain that the demo uses. The passwords follow
 * from the secret of this installation and the tenant, so that each start tells the same ones. Who has none yet is
 * given it; one that somebody has set stays.
 */
export async function openDemoLogIns(
  database: Pick<Database, 'transaction'>,
  context: ChangeContext,
  secretKey: string,
): Promise<DemoLogIn[]> {
  const { id: tenantId } = context.tenant
  const users = await database.transaction(tenantId, (tx) =>
    tx.query<{ role: string; name: string; is_new: boolean }>(sql`
      select distinct on (h.role) h.role, u.name, u.password_hash is null as is_new
        from users u join users_roles h on h.tenant_id = u.tenant_id and h.parent_id = u.id
       where u.tenant_id = ${tx.tenantId} and u.enabled = 1 and u.name like '%@hillside.example'
         and h.role = any(${people.map(([, role]) => role)}::text[])
       order by h.role, u.name`),
  )
  const logIns = people.flatMap(([who, role]) => {
    const user = users.find((each) => each.role === role)
    if (user === undefined) return []
    const secret = createHmac('sha256', secretKey).update(`demo log-in ${tenantId} ${user.name}`).digest('hex')
    const password = (secret.slice(0, 15).match(/.{5}/g) ?? []).join('-')
    return [{ who, email: user.name, password, isNew: user.is_new }]
  })
  for (const { email, password, isNew } of logIns) {
    if (!isNew) continue
    const hash = await hashOfPassword(password)
    await database.transaction(tenantId, (tx) => setPassword(tx, context, email, hash))
  }
  return logIns.map(({ who, email, password }) => ({ who, email, password }))
}
