-- What keeps tenants from being spread over a cluster, in a form that serves one database as well: docs/adr/0029-citus.md.
-- A function in SQL cannot hand its parameters to a distributed table, one in PL/pgSQL can.

-- Whose each secret is: the one look-up across tenants. It belongs to no tenant, so that every node of a cluster has all of it.
create table api_key_hashes (
  secret_hash bytea not null,
  secret_id uuid not null,
  of_tenant uuid not null,
  constraint api_key_hashes_pkey primary key (secret_hash, secret_id)
);

-- The service's role does not see the hashes, so this runs as the owner.
create function note_api_key_hash() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    begin
      if tg_op <> 'INSERT' then
        delete from api_key_hashes where secret_hash = old.secret_hash and secret_id = old.id;
      end if;
      if tg_op <> 'DELETE' then
        insert into api_key_hashes (secret_hash, secret_id, of_tenant) values (new.secret_hash, new.id, new.tenant_id);
      end if;
      return null;
    end
  $$;
create trigger api_key_hashes_noted after insert or delete or update of secret_hash on api_key_secrets
  for each row execute function note_api_key_hash();
-- Behind the trigger, which waits for whoever is making a secret and lets nobody else begin: none is left out.
insert into api_key_hashes (secret_hash, secret_id, of_tenant) select secret_hash, id, tenant_id from api_key_secrets;
drop index api_key_secrets_secret_hash_idx;

create or replace function authenticate_api_key(hash bytea)
  returns table (
    tenant_id uuid, tenant_slug text, tenant_name text, tenant_status text, time_zone text, currency text,
    enabled_modules text[], sor_students text, sor_enrollment text, sor_payments text, custom_fields_at timestamptz,
    api_key_id uuid, api_key_name text, kind text, scopes text[], master_domains text[], roles text[],
    requests_per_minute integer, revoked_at timestamptz, secret_id uuid, expires_at timestamptz, last_used_at timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    #variable_conflict use_column
    declare
      found_tenant uuid;
      found_secret uuid;
    begin
      select h.of_tenant, h.secret_id into found_tenant, found_secret from api_key_hashes h where h.secret_hash = hash limit 1;
      if not found then
        return;
      end if;
      return query
        select t.id, t.slug, t.name, t.status, t.time_zone, t.currency,
               t.enabled_modules, t.sor_students, t.sor_enrollment, t.sor_payments, t.custom_fields_at,
               k.id, k.name, k.kind, k.scopes, k.master_domains, k.roles,
               k.requests_per_minute, k.revoked_at, s.id, s.expires_at, s.last_used_at
          from api_key_secrets s
          join api_keys k on k.tenant_id = s.tenant_id and k.id = s.api_key_id
          join tenants t on t.id = s.tenant_id
         where s.tenant_id = found_tenant and s.id = found_secret and s.secret_hash = hash;
    end
  $$;

create or replace function seed_roles(tenant uuid) returns void language plpgsql volatile
  as $$
    begin
      insert into roles (tenant_id, id, name, role_name, desk_access)
      select tenant, new_uuid7(), role, role, desk_access
        from (values ('Administrator', 1), ('System Manager', 1), ('Academics User', 1), ('Education Manager', 1),
                     ('Instructor', 1), ('Accounts User', 1), ('Accounts Manager', 1), ('Student', 0), ('Guardian', 0),
                     ('Guest', 0), ('All', 0), ('Desk User', 1)) as known (role, desk_access)
      on conflict on constraint roles_name_key do nothing;
    end
  $$;

-- What an update sets is computed first, because no node may compute it otherwise than another one.
create or replace function note_custom_fields() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      tenant uuid := coalesce(new.tenant_id, old.tenant_id);
      noted timestamptz;
    begin
      if exists (select from custom_fields f where f.tenant_id = tenant) then
        select greatest(current_stamp(), t.custom_fields_at + interval '1 millisecond') into noted
          from tenants t where t.id = tenant for no key update;
      end if;
      update tenants t set custom_fields_at = noted where t.id = tenant;
      return null;
    end
  $$;

create or replace function has_unordered_events(feed event_feeds) returns boolean language plpgsql stable
  as $$
    declare
      newest xid8;
      tenant uuid := feed.tenant_id;
      was_open xid8;
    begin
      if feed.seen is null or feed.seen_in is distinct from (select system_identifier from pg_control_system()) then
        return true;
      end if;
      -- Single rows at known places of an index, so that the planner needs no idea of how many there are. What lies ahead of
      -- every transaction that there is comes from another cluster, and was put in order when that one's snapshot was.
      select e.transaction_id into newest
        from events e
       where e.tenant_id = tenant and e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
       order by e.transaction_id desc limit 1;
      if newest >= pg_snapshot_xmax(feed.seen) then
        return true;
      end if;
      for was_open in select pg_snapshot_xip(feed.seen) loop
        select e.transaction_id into newest
          from events e where e.tenant_id = tenant and e.transaction_id >= was_open order by e.transaction_id limit 1;
        if newest = was_open then
          return true;
        end if;
      end loop;
      return false;
    end
  $$;

create or replace function event_feed_states(tenants uuid[])
  returns table (tenant_id uuid, last_position bigint, is_behind boolean)
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    #variable_conflict use_column
    declare
      tenant uuid;
      feed event_feeds;
    begin
      foreach tenant in array tenants loop
        select f.* into feed from event_feeds f where f.tenant_id = tenant;
        tenant_id := tenant;
        last_position := coalesce(feed.last_position, 0);
        is_behind := feed.tenant_id is null or has_unordered_events(feed);
        return next;
      end loop;
    end
  $$;

-- As before, with what is found kept meanwhile, because on a cluster a statement that adds cannot take it from another part of
-- itself.
create or replace function order_events(tenant uuid) returns bigint language plpgsql volatile
  -- One import can have written most of what there is: the planner would take every transaction for one like that.
  set enable_seqscan = off
  as $$
    declare
      feed event_feeds;
      cluster bigint := (select system_identifier from pg_control_system());
      part constant integer := 10000;
      added bigint;
      missing bigint[];
      now_seen pg_snapshot;
      last_written bigint;
    begin
      insert into event_feeds (tenant_id) values (tenant) on conflict on constraint event_feeds_pkey do nothing;
      select * into feed from event_feeds where tenant_id = tenant for no key update;
      if not has_unordered_events(feed) then
        return feed.last_position;
      end if;
      if feed.seen_in is distinct from cluster then
        feed.seen := null;
      end if;

      if feed.seen is null then
        select max(p.written) into last_written from event_positions p where p.tenant_id = tenant;
        last_written := coalesce(last_written, 0);
        insert into event_positions (tenant_id, position, written)
        select tenant, feed.last_position + row_number() over (order by e.position), e.position
          from (select position from events
                 where tenant_id = tenant and position > last_written
                 order by position limit part) e;
        get diagnostics added = row_count;
        feed.last_position := feed.last_position + added;
        if added = part then
          update event_feeds set last_position = feed.last_position, seen = null where tenant_id = tenant;
          return feed.last_position;
        end if;
      end if;

      -- One statement, so that the snapshot that is kept is the one in which the events were seen.
      select array_agg(found.written order by found.written), pg_current_snapshot() into missing, now_seen
        from (
          select e.position as written
            from events e
           where feed.seen is null and e.tenant_id = tenant
          union all
          select e.position
            from events e
           where e.tenant_id = tenant and e.transaction_id >= pg_snapshot_xmax(feed.seen)
             and e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
          union all
          select e.position
            from events e
           where e.tenant_id = tenant and e.transaction_id = any (array(select pg_snapshot_xip(feed.seen)))
        ) found
       where not exists (select from event_positions p where p.tenant_id = tenant and p.written = found.written);
      insert into event_positions (tenant_id, position, written)
      select tenant, feed.last_position + event.place, event.written
        from unnest(missing) with ordinality as event (written, place);
      feed.last_position := feed.last_position + coalesce(cardinality(missing), 0);
      update event_feeds set last_position = feed.last_position, seen = now_seen, seen_in = cluster where tenant_id = tenant;
      return feed.last_position;
    end
  $$;
