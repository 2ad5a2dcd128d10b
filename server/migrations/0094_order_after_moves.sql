-- As before, and what was written at several nodes of a cluster comes in the order in which it happened, however often the tenant's rows were
-- moved meanwhile. Each node numbers what it writes in a range of 2^48 of its own, and a PostgreSQL has but the first of them. Of one node the
-- order is that of its numbers; an event happened no earlier than any that has a smaller number of the same node.
create or replace function order_events(tenant uuid) returns bigint language plpgsql volatile
  -- One import can have written most of what there is: the planner would take every transaction for one like that.
  set enable_seqscan = off
  as $$
    declare
      feed event_feeds;
      cluster bigint := (select system_identifier from pg_control_system());
      part constant integer := 10000;
      nodes bigint;
      last_written bigint;
      numbers bigint[];
      stamps timestamptz[];
      all_numbers bigint[] := '{}';
      all_stamps timestamptz[] := '{}';
      added bigint;
      missing bigint[];
      now_seen pg_snapshot;
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
        select max(position) >> 48 into nodes from events where tenant_id = tenant;
        for node in 0 .. coalesce(nodes, -1) loop
          select max(p.written) into last_written
            from event_positions p
           where p.tenant_id = tenant and p.written >= node << 48 and p.written < (node + 1) << 48;
          select array_agg(e.position order by e.position), array_agg(e.occurred_at order by e.position)
            into numbers, stamps
            from (select position, occurred_at from events
                   where tenant_id = tenant and position > coalesce(last_written, (node << 48) - 1)
                     and position < (node + 1) << 48
                   order by position limit part) e;
          all_numbers := all_numbers || numbers;
          all_stamps := all_stamps || stamps;
        end loop;
        select array_agg(first.written order by first.happened, first.written) into missing
          from (select e.written, max(e.stamp) over (partition by e.written >> 48 order by e.written) as happened
                  from unnest(all_numbers, all_stamps) as e (written, stamp)
                 order by happened, written limit part) first;
        insert into event_positions (tenant_id, position, written)
        select tenant, feed.last_position + event.place, event.written
          from unnest(missing) with ordinality as event (written, place);
        added := coalesce(cardinality(missing), 0);
        feed.last_position := feed.last_position + added;
        if added = part then
          update event_feeds set last_position = feed.last_position, seen = null where tenant_id = tenant;
          return feed.last_position;
        end if;
      end if;

      -- One statement, so that the snapshot that is kept is the one in which the events were seen.
      select array_agg(found.written order by found.happened, found.written), pg_current_snapshot()
        into missing, now_seen
        from (
          select each.written, max(each.stamp) over (partition by each.written >> 48 order by each.written) as happened
            from (
              select e.position as written, e.occurred_at as stamp
                from events e
               where feed.seen is null and e.tenant_id = tenant
              union all
              select e.position, e.occurred_at
                from events e
               where e.tenant_id = tenant and e.transaction_id >= pg_snapshot_xmax(feed.seen)
                 and e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
              union all
              select e.position, e.occurred_at
                from events e
               where e.tenant_id = tenant and e.transaction_id = any (array(select pg_snapshot_xip(feed.seen)))
            ) each
           where not exists (select from event_positions p where p.tenant_id = tenant and p.written = each.written)
        ) found;
      insert into event_positions (tenant_id, position, written)
      select tenant, feed.last_position + event.place, event.written
        from unnest(missing) with ordinality as event (written, place);
      feed.last_position := feed.last_position + coalesce(cardinality(missing), 0);
      update event_feeds set last_position = feed.last_position, seen = now_seen, seen_in = cluster where tenant_id = tenant;
      return feed.last_position;
    end
  $$;
