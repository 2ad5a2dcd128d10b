-- The feed of a database into which a dump was read: the numbers of its transactions are those of another cluster and may lie ahead
-- of every one here. docs/adr/0026-order-of-events.md says how events are put in order.

create or replace function has_unordered_events(feed event_feeds) returns boolean language sql stable
  as $$
    select feed.seen is null or feed.seen_in is distinct from (select system_identifier from pg_control_system())
        -- Single rows at known places of an index, so that the planner needs no idea of how many there are. What lies ahead of
        -- every transaction that there is comes from another cluster, and was put in order when that one's snapshot was.
        or (select e.transaction_id from events e
             where e.tenant_id = feed.tenant_id and e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
             order by e.transaction_id desc limit 1) >= pg_snapshot_xmax(feed.seen)
        or exists (
             select from pg_snapshot_xip(feed.seen) as was_open (id)
              where was_open.id = (select e.transaction_id from events e
                                    where e.tenant_id = feed.tenant_id and e.transaction_id >= was_open.id
                                    order by e.transaction_id limit 1))
  $$;

-- Gives positions to the events of a tenant that are seen now and have none, in the order in which they were written. One
-- transaction at a time does so, and looks after it has the row. Where nothing is known of what was seen, as in a feed that nobody
-- read yet, it goes through what was written in parts of 10 000, and `seen` stays null until it is through. Gives the last position.
create or replace function order_events(tenant uuid) returns bigint language plpgsql volatile
  -- One import can have written most of what there is: the planner would take every transaction for one like that.
  set enable_seqscan = off
  as $$
    declare
      feed event_feeds;
      cluster bigint := (select system_identifier from pg_control_system());
      part constant integer := 10000;
      added bigint;
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
        with ordered as (
          insert into event_positions (tenant_id, position, written)
          select tenant, feed.last_position + row_number() over (order by e.position), e.position
            from (select position from events
                   where tenant_id = tenant
                     and position > coalesce((select max(p.written) from event_positions p where p.tenant_id = tenant), 0)
                   order by position limit part) e
          returning 1
        )
        select count(*) into added from ordered;
        feed.last_position := feed.last_position + added;
        if added = part then
          update event_feeds set last_position = feed.last_position, seen = null where tenant_id = tenant;
          return feed.last_position;
        end if;
      end if;

      -- One statement, so that the snapshot that is kept is the one in which the events were seen.
      with found as materialized (
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
      ), missing as (
        select found.written from found
         where not exists (select from event_positions p where p.tenant_id = tenant and p.written = found.written)
      ), ordered as (
        insert into event_positions (tenant_id, position, written)
        select tenant, feed.last_position + row_number() over (order by missing.written), missing.written from missing
        returning 1
      )
      update event_feeds f
         set last_position = feed.last_position + (select count(*) from ordered), seen = pg_current_snapshot(), seen_in = cluster
       where f.tenant_id = tenant
      returning f.last_position into feed.last_position;
      return feed.last_position;
    end
  $$;
