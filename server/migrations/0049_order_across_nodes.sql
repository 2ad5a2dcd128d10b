-- As before, and what was written where the tenant's rows were before comes first: each node of a cluster numbers what it writes in a
-- range of 2^48 of its own, and a PostgreSQL has but the first of them.
create or replace function order_events(tenant uuid) returns bigint language plpgsql volatile
  -- One import can have written most of what there is: the planner would take every transaction for one like that.
  set enable_seqscan = off
  as $$
    declare
      feed event_feeds;
      cluster bigint := (select system_identifier from pg_control_system());
      here bigint := (select seqstart >> 48 << 48 from pg_sequence
                       where seqrelid = pg_get_serial_sequence('events', 'position')::regclass);
      beyond bigint := here + (1::bigint << 48);
      ranges int8range[] := array[int8range(0, here), int8range(beyond, 9223372036854775807), int8range(here, beyond)];
      range int8range;
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
        foreach range in array ranges loop
          continue when isempty(range);
          select max(p.written) into last_written
            from event_positions p
           where p.tenant_id = tenant and p.written >= lower(range) and p.written < upper(range);
          last_written := coalesce(last_written, lower(range) - 1);
          insert into event_positions (tenant_id, position, written)
          select tenant, feed.last_position + row_number() over (order by e.position), e.position
            from (select position from events
                   where tenant_id = tenant and position > last_written and position < upper(range)
                   order by position limit part) e;
          get diagnostics added = row_count;
          feed.last_position := feed.last_position + added;
          if added = part then
            update event_feeds set last_position = feed.last_position, seen = null where tenant_id = tenant;
            return feed.last_position;
          end if;
        end loop;
      end if;

      -- One statement, so that the snapshot that is kept is the one in which the events were seen.
      select array_agg(found.written order by found.written >= here and found.written < beyond, found.written),
             pg_current_snapshot()
        into missing, now_seen
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

-- A trigger of a distributed table runs on the part of it that has the row, whose name is another one: it is told the table's.
create or replace function keep_custom_field_values() returns trigger language plpgsql
  as $$
    declare
      kept_in text := coalesce(tg_argv[0], tg_table_name);
    begin
      if tg_op <> 'INSERT' then
        delete from custom_field_values v using indexed_custom_fields f
         where v.tenant_id = old.tenant_id and v.record_id = old.id
           and f.tenant_id = v.tenant_id and f.id = v.field_id
           and (tg_op = 'DELETE'
                or new.custom_fields -> f.fieldname is distinct from old.custom_fields -> f.fieldname);
      end if;
      if tg_op <> 'DELETE' then
        insert into custom_field_values (tenant_id, field_id, record_id, text_value, number_value)
        select new.tenant_id, f.id, new.id, custom_text(v.value), custom_number(new.custom_fields, v.key)
          from jsonb_each(new.custom_fields) v
          join indexed_custom_fields f
            on f.tenant_id = new.tenant_id and f.record_table = kept_in and f.fieldname = v.key
         where tg_op = 'INSERT' or v.value is distinct from old.custom_fields -> v.key
        on conflict on constraint custom_field_values_pkey
        do update set text_value = excluded.text_value, number_value = excluded.number_value;
      end if;
      return null;
    end
  $$;
