import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { serviceRole } from '../pool/connection.ts'
import { makeAtNodes } from './distribute.ts'
import { leadingTable } from './location.ts'

/** The schema that shows the shards that are placed together with one of the leading table. */
export const shardSchema = (leadingShard: string) => `shards_${leadingShard}`

/** What a statement fails with that asks for a tenant at a node where its shards are not, or are not shown (SQLSTATE). */
export const shardsAreElsewhere = 'SH001'

/** Whoever shows or hides shards of a node does so alone. */
const oneAtATime = `hashtextextended('matricula.show_shards', 0)`

/**
 * The tenant for which a statement is planned, under row-level security on a cluster: see `policyOnCluster`. A session that was told
 * to go to shards must not go on through Citus where their views are gone: its plans are kept, for whoever comes next.
 */
const plannedTenant = `
  create or replace function planned_tenant_id() returns uuid language plpgsql immutable parallel safe as $$
    begin
      if coalesce(current_setting('matricula.shards', true), '') <> '' and current_setting('plan_cache_mode') <> 'force_custom_plan' then
        raise exception using errcode = '${shardsAreElsewhere}', message = 'the shards of this tenant are not shown here';
      end if;
      return nullif(current_setting('matricula.tenant_id', true), '')::uuid;
    end $$`

/**
 * The tenant of the session where a shard is on this node, in the snapshot of the statement that asks. A shard that was moved stays for
 * a while as it was, and nobody must see that.
 */
const tenantReadingAt = `
  create or replace function tenant_reading_at(shard bigint, node_group int) returns uuid language plpgsql stable as $$
    begin
      perform from pg_catalog.pg_dist_placement p where p.shardid = shard and p.groupid = node_group;
      if not found then
        raise exception using errcode = '${shardsAreElsewhere}', message = 'the shards of this tenant are on another node';
      end if;
      return nullif(pg_catalog.current_setting('matricula.tenant_id', true), '')::uuid;
    end $$`

/**
 * The same for what writes: it first takes the lock that Citus takes for a write (ShareLock, 5) and holds it to the end of the
 * transaction, for which whoever moves the shard waits, then looks at what is so now.
 */
const tenantWritingAt = `
  create or replace function tenant_writing_at(shard bigint, node_group int) returns uuid
    language plpgsql volatile security definer as $$
    begin
      perform from pg_catalog.pg_dist_placement p where p.shardid = shard and p.groupid = node_group;
      if found then
        perform pg_catalog.lock_shard_metadata(5, array[shard]);
        perform from pg_catalog.pg_dist_placement p where p.shardid = shard and p.groupid = node_group;
      end if;
      if not found then
        raise exception using errcode = '${shardsAreElsewhere}', message = 'the shards of this tenant are on another node';
      end if;
      return nullif(pg_catalog.current_setting('matricula.tenant_id', true), '')::uuid;
    end $$`

/**
 * Shows the shards that are placed together with one, where they are on this node: a schema with a view of each shard under the name of
 * its table, and with the views of the public schema over them. Returns whether they are shown. What row-level security
 * asks of a shard is then that its tenant is the session's and that it is still here, of whoever comes to it in whatever way.
 */
const showShards = `
  create or replace function show_shards(leading_shard bigint) returns boolean language plpgsql security definer
    set search_path = pg_catalog, public set citus.enable_ddl_propagation = off set citus.enable_manual_changes_to_shards = on
    set lock_timeout = '500ms' as $$
    declare
      here int := (select groupid from pg_dist_local_group);
      place text := 'shards_' || leading_shard;
      shown_first text := format('%I.%I', place, '${leadingTable}');
      shown record;
    begin
      if not exists (select from pg_dist_placement where shardid = leading_shard and groupid = here) then return false; end if;
      if to_regclass(shown_first) is not null then return true; end if;
      perform pg_advisory_xact_lock(${oneAtATime});
      if to_regclass(shown_first) is not null then return true; end if;
      if to_regprocedure('public.show_shards(bigint)') is null then return false; end if;
      -- Nobody moves them meanwhile.
      perform lock_shard_metadata(5, array[leading_shard]);
      if not exists (select from pg_dist_placement where shardid = leading_shard and groupid = here) then return false; end if;
      -- When Citus drops a shard that it has moved away, it drops the view with it and leaves the schema.
      for shown in
        select n.nspname as name from pg_namespace n
         where n.nspname = place
            or n.nspname ~ '^shards_\\d+$'
               and not exists (select from pg_dist_placement p where p.shardid = substr(n.nspname, 8)::bigint and p.groupid = here)
      loop
        execute format('drop schema %I cascade', shown.name);
      end loop;
      execute format('create schema %I', place);
      execute format('grant usage on schema %I to ${serviceRole}', place);
      for shown in
        select t.relname as name, t.oid as id, s.shardid as shard, shard_name(t.oid::regclass, s.shardid) as shard_table
          from pg_dist_shard l
          join pg_dist_partition lp on lp.logicalrelid = l.logicalrelid
          join pg_dist_partition p on p.colocationid = lp.colocationid
          join pg_dist_shard s on s.logicalrelid = p.logicalrelid and s.shardminvalue = l.shardminvalue
          join pg_class t on t.oid = p.logicalrelid
         where l.shardid = leading_shard and p.partmethod = 'h' and not t.relispartition
         order by 1
      loop
        if not exists (select from pg_policy where polrelid = shown.shard_table::regclass and polname = 'of_shard_here') then
          execute format(
            'alter policy of_current_tenant on %1$s using (tenant_id = (select public.tenant_reading_at(%2$s, %3$s)))
               with check (tenant_id = (select public.tenant_writing_at(%2$s, %3$s)))', shown.shard_table, shown.shard, here);
          execute format(
            'create policy of_shard_here on %s as restrictive for delete to ${serviceRole}
               using ((select public.tenant_writing_at(%s, %s)) is not null)', shown.shard_table, shown.shard, here);
        end if;
        execute format('create view %I.%I with (security_invoker = true) as select *, ctid from %s', place, shown.name, shown.shard_table);
        execute format('grant select, insert, update, delete on %I.%I to ${serviceRole}', place, shown.name);
      end loop;
      -- What every node has: it is only read here, and written through Citus, at all nodes.
      for shown in
        select t.relname as name, shard_name(t.oid::regclass, s.shardid) as shard_table
          from pg_dist_partition p
          join pg_dist_shard s on s.logicalrelid = p.logicalrelid
          join pg_dist_placement at on at.shardid = s.shardid and at.groupid = here
          join pg_class t on t.oid = p.logicalrelid
         where p.partmethod = 'n' and p.repmodel = 't' and has_table_privilege('${serviceRole}', t.oid, 'select')
      loop
        execute format('create view %I.%I with (security_invoker = true) as select *, ctid from %s', place, shown.name, shown.shard_table);
        execute format('grant select on %I.%I to ${serviceRole}', place, shown.name);
      end loop;
      -- Citus leaves the sequences of a table out of its shards.
      for shown in
        select t.relname as name, a.attname as attribute, pg_get_serial_sequence(t.oid::regclass::text, a.attname) as sequence
          from pg_dist_partition p
          join pg_class t on t.oid = p.logicalrelid
          join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
         where p.partmethod = 'h' and pg_get_serial_sequence(t.oid::regclass::text, a.attname) is not null
      loop
        execute format('alter view %I.%I alter column %I set default nextval(%L)', place, shown.name, shown.attribute, shown.sequence);
        execute format('grant usage on sequence %s to ${serviceRole}', shown.sequence);
      end loop;
      for shown in
        select c.relname as name, pg_get_viewdef(c.oid) as definition from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
           and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
         order by c.oid
      loop
        perform set_config('search_path', place || ', public', true);
        execute format('create view %I.%I with (security_invoker = true) as %s', place, shown.name, shown.definition);
        execute format('grant select on %I.%I to ${serviceRole}', place, shown.name);
        perform set_config('search_path', 'pg_catalog, public', true);
      end loop;
      return true;
    end $$`

const hideAtNode = `
  do $hide$
    declare shown record;
    begin
      perform set_config('lock_timeout', '500ms', true), pg_advisory_xact_lock(${oneAtATime});
      for shown in select nspname as name from pg_namespace where nspname ~ '^shards_\\d+$' loop
        execute format('drop schema %I cascade', shown.name);
      end loop;
    end $hide$`

const maxAttempts = 60
const pauseMilliseconds = 500

/** Makes what the policies of a cluster ask, and what shows the shards to the service, at every node. */
export async function allowShards(client: pg.ClientBase): Promise<void> {
  for (const definition of [plannedTenant, tenantReadingAt, tenantWritingAt]) await client.query(definition)
  await client.query('revoke execute on function tenant_writing_at(bigint, int) from public')
  await client.query(`grant execute on function tenant_writing_at(bigint, int) to ${serviceRole}`)
}

/** Functions that go through Citus also where the service goes to shards: they name constraints, sequences or types of rows of the tables. */
const throughCitus = ['order_events(uuid)', 'seed_roles(uuid)', 'keep_custom_field_values()']

/** Lets the shards be shown where they are asked for. */
export async function letShardsBeShown(client: pg.ClientBase): Promise<void> {
  for (const each of throughCitus) {
    await client.query(`alter function ${each} set search_path = pg_catalog, public`)
    await client.query(`alter function ${each} set plan_cache_mode = 'force_custom_plan'`)
  }
  await client.query(showShards)
  await client.query('revoke execute on function show_shards(bigint) from public')
  await client.query(`grant execute on function show_shards(bigint) to ${serviceRole}`)
}

/**
 * Shows no shards until `letShardsBeShown`: a view holds the columns of its table fast, and lacks those that are added. The service goes
 * through Citus meanwhile. Throws `Error` where somebody uses them for too long at each attempt.
 */
export async function hideShards(client: pg.ClientBase): Promise<void> {
  await client.query('drop function if exists show_shards(bigint)')
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeAtNodes(client, hideAtNode)
      return
    } catch (error) {
      if (attempt === maxAttempts) throw error
    }
    await pause(pauseMilliseconds)
  }
}
