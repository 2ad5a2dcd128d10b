-- The order in which readers see events. docs/adr/0026-order-of-events.md says why it holds.

-- How far the events of a tenant are put in order, and what is forgotten of them.
create table event_feeds (
  tenant_id uuid not null references tenants (id),
  -- The position that was given last.
  last_position bigint not null default 0,
  -- The last position whose event is forgotten; 0 while none is.
  forgotten_position bigint not null default 0,
  -- The snapshot in which events were last given positions: what was over in it has its own. Null where that is not known.
  seen pg_snapshot,
  -- The database cluster of that snapshot: numbers of transactions mean nothing in another one, into which a dump was read.
  seen_in bigint,
  constraint event_feeds_pkey primary key (tenant_id)
) with (fillfactor = 50);

-- Where an event stands in what readers are told. It is given once its transaction is over, so that no position ever appears
-- behind one that was read.
create table event_positions (
  tenant_id uuid not null,
  position bigint not null,
  -- The event, by the order of writing: `events.position`.
  written bigint not null,
  constraint event_positions_pkey primary key (tenant_id, position),
  constraint event_positions_written_key unique (tenant_id, written)
);

-- Finds what transactions wrote that were not over when positions were last given.
create index events_transaction_idx on events (tenant_id, transaction_id);
drop index events_occurred_at_idx;
drop index events_entity_idx;

-- Whether an event of the tenant may have no position yet.
create function has_unordered_events(feed event_feeds) returns boolean language sql stable
  as $$
    select feed.seen is null or feed.seen_in is distinct from (select system_identifier from pg_control_system())
        -- Single rows at known places of an index, so that the planner needs no idea of how many there are.
        or (select e.transaction_id from events e
             where e.tenant_id = feed.tenant_id order by e.transaction_id desc limit 1) >= pg_snapshot_xmax(feed.seen)
        or exists (
             select from pg_snapshot_xip(feed.seen) as was_open (id)
              where was_open.id = (select e.transaction_id from events e
                                    where e.tenant_id = feed.tenant_id and e.transaction_id >= was_open.id
                                    order by e.transaction_id limit 1))
  $$;

-- Gives positions to the events of a tenant that are seen now and have none, in the order in which they were written. One
-- transaction at a time does so, and looks after it has the row. Gives the last position.
create function order_events(tenant uuid) returns bigint language plpgsql volatile
  -- One import can have written most of what there is: the planner would take every transaction for one like that.
  set enable_seqscan = off
  as $$
    declare
      feed event_feeds;
      cluster bigint := (select system_identifier from pg_control_system());
      last bigint;
    begin
      insert into event_feeds (tenant_id) values (tenant) on conflict on constraint event_feeds_pkey do nothing;
      select * into feed from event_feeds where tenant_id = tenant for no key update;
      if not has_unordered_events(feed) then
        return feed.last_position;
      end if;
      if feed.seen_in is distinct from cluster then
        feed.seen := null;
      end if;
      -- One statement, so that the snapshot that is kept is the one in which the events were seen.
      with found as materialized (
        select e.position as written
          from events e
         where feed.seen is null and e.tenant_id = tenant
           and not exists (select from event_positions p where p.tenant_id = tenant and p.written = e.position)
        union all
        select e.position from events e where e.tenant_id = tenant and e.transaction_id >= pg_snapshot_xmax(feed.seen)
        union all
        select e.position
          from events e
         where e.tenant_id = tenant and e.transaction_id = any (array(select pg_snapshot_xip(feed.seen)))
      ), ordered as (
        insert into event_positions (tenant_id, position, written)
        select tenant, feed.last_position + row_number() over (order by found.written), found.written from found
        on conflict on constraint event_positions_written_key do nothing
      )
      update event_feeds f
         set last_position = f.last_position + (select count(*) from found), seen = pg_current_snapshot(), seen_in = cluster
       where f.tenant_id = tenant
      returning f.last_position into last;
      return last;
    end
  $$;

-- How far each of these tenants is, and whether more waits to be put in order: one look for everybody who waits in a process.
-- Runs as the owner, because it looks across tenants; it tells nothing but positions.
create function event_feed_states(tenants uuid[])
  returns table (tenant_id uuid, last_position bigint, is_behind boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$
    select wanted.id, coalesce(f.last_position, 0), f.tenant_id is null or has_unordered_events(f)
      from unnest(tenants) as wanted (id)
      left join event_feeds f on f.tenant_id = wanted.id
  $$;
