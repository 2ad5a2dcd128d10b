-- Stamps and the watermark of a sweep, so that nothing is missed whatever the clock does and whatever commits when.
-- docs/adr/0018-what-a-sweep-sees.md says why it holds.

-- The latest moment, in milliseconds, that a watermark may have told: no later stamp is earlier. It is a sequence because that
-- is read and written outside of snapshots and survives a crash, a restore and a failover to a machine whose clock is behind.
create sequence stamp_floor minvalue 0;
select setval('stamp_floor', floor(extract(epoch from clock_timestamp()) * 1000)::bigint);

-- A stamp of a change: never before its own transaction began, and never before a watermark that was told, also where the
-- clock steps back. It has milliseconds, so that one that was sent out and comes back compares equal.
create or replace function current_stamp() returns timestamptz language sql volatile
  as $$
    select date_trunc('milliseconds', greatest(
             clock_timestamp(), now(), to_timestamp(pg_sequence_last_value('public.stamp_floor'::regclass) / 1000.0)))
  $$;

-- What a statement that is begun later cannot see yet is stamped at or after this moment. First the floor is raised, then the
-- sessions are looked at: a transaction that the look does not find is either over, and seen, or takes its stamps after it.
-- The floor follows the clock by seconds, so that reading seldom writes.
-- Runs as the owner, because the service's role may not see what other sessions do.
create function sync_watermark() returns timestamptz
  language plpgsql volatile security definer set search_path = pg_catalog, public
  as $$
    declare
      now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
      floor_ms bigint;
      oldest timestamptz;
    begin
      -- One session at a time raises it, and looks again before it does. Whoever comes second takes what is there.
      if now_ms >= pg_sequence_last_value('stamp_floor') + 1000 and not current_setting('transaction_read_only')::boolean
         and pg_try_advisory_xact_lock(hashtextextended('matricula.stamp_floor', 0)) then
        perform setval('stamp_floor', greatest(now_ms, pg_sequence_last_value('stamp_floor')));
      end if;
      floor_ms := pg_sequence_last_value('stamp_floor');
      perform pg_stat_clear_snapshot();
      select min(xact_start) into oldest
        from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type <> 'autovacuum worker';
      -- Of a transaction that is prepared for a two-phase commit nobody knows when it began, and where activities are not
      -- tracked of none. Then the next sweep reads everything.
      if exists (select from pg_prepared_xacts where database = current_database())
         or not current_setting('track_activities')::boolean then
        return timestamptz 'epoch';
      end if;
      return least(to_timestamp(floor_ms / 1000.0), oldest);
    end
  $$;

-- For processes of the release before, which run while another one migrates.
create or replace function oldest_open_transaction() returns timestamptz
  language sql volatile security definer set search_path = pg_catalog, public
  as $$ select sync_watermark() $$;
