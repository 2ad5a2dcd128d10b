import type pg from 'pg'
import { serviceRole } from '../pool/connection.ts'

interface Facts {
  readonly user: string
  readonly database: string
  readonly encoding: string
  readonly version: number
  readonly isSuperuser: boolean
  readonly mayCreateRoles: boolean
  readonly isRoleThere: boolean
  readonly isMember: boolean
  readonly mayGrantRole: boolean
  readonly mayCreateInSchema: boolean
  readonly mayCreateInDatabase: boolean
  /** An owner of tables that the user is not, and cannot act as; null where there is none. */
  readonly otherOwner: string | null
}

/**
 * What the user of DATABASE_URL lacks to bring the database to this version, in a sentence with the statement that gives it; null where
 * nothing is lacking. Asked before anything is changed.
 */
export async function findOwnerError(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<Facts>(
    `select current_user as user, current_database() as database, current_setting('server_encoding') as encoding,
            current_setting('server_version_num')::integer as version,
            u.rolsuper as "isSuperuser", u.rolcreaterole as "mayCreateRoles",
            s.oid is not null as "isRoleThere",
            coalesce(pg_has_role(u.oid, s.oid, 'member'), false) as "isMember",
            exists (select from pg_auth_members m
                     where m.roleid = s.oid and m.admin_option and pg_has_role(u.oid, m.member, 'usage')) as "mayGrantRole",
            coalesce(has_schema_privilege(u.oid, to_regnamespace('public'), 'create'), false) as "mayCreateInSchema",
            has_database_privilege(u.oid, current_database(), 'create') as "mayCreateInDatabase",
            (select pg_get_userbyid(c.relowner) from pg_class c
              where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
                and c.relname in ('tenants', 'schema_migrations') and not pg_has_role(u.oid, c.relowner, 'usage')
              limit 1) as "otherOwner"
       from pg_roles u left join pg_roles s on s.rolname = $1
      where u.rolname = current_user`,
    [serviceRole],
  )
  const facts = rows[0]
  if (facts === undefined) return null
  const { user, database, encoding, isSuperuser } = facts
  const [owner, here] = [quoted(user), quoted(database)]
  if (encoding !== 'UTF8') {
    return `The database ${database} is encoded in ${encoding}, which does not keep every name. Create one that is in UTF-8: create database matricula encoding 'UTF8' template template0`
  }
  if (isSuperuser) return null
  if (facts.otherOwner !== null) {
    return `The tables of the database ${database} belong to ${facts.otherOwner}, and the user of DATABASE_URL is ${user}. Connect as ${facts.otherOwner}.`
  }
  if (!facts.mayCreateInDatabase || !facts.mayCreateInSchema) {
    return `The user ${user} of DATABASE_URL may not make tables in the database ${database}. As a superuser run: alter database ${here} owner to ${owner}`
  }
  if (!facts.isRoleThere && !facts.mayCreateRoles) {
    return `The user ${user} of DATABASE_URL may not make the role ${serviceRole}, under which the service works. As a superuser run: create role ${serviceRole} nologin; grant ${serviceRole} to ${owner}`
  }
  // Before PostgreSQL 16, who may create roles may grant every one.
  const mayGrant = facts.mayGrantRole || (facts.version < 160_000 && facts.mayCreateRoles)
  if (facts.isRoleThere && !facts.isMember && !mayGrant) {
    return `The role ${serviceRole} is there, as after another installation on this server, and the user ${user} of DATABASE_URL is no member of it. As a superuser, or whoever made the role, run: grant ${serviceRole} to ${owner}`
  }
  return null
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}
