-- How the server fares that has this database, for whoever watches the deployment. Runs as the owner, who sees the sessions of all
-- services; it tells numbers only. On a cluster it tells of the coordinator.
create function server_figures()
  returns table (size_bytes bigint, live_rows bigint, dead_rows bigint, temporary_bytes bigint, commits bigint, rollbacks bigint,
                 deadlocks bigint, conflicts bigint, transaction_age bigint, connections_most integer, connections_active integer,
                 connections_idle integer, connections_in_transaction integer, oldest_transaction_seconds double precision,
                 waiting_for_locks integer, longest_lock_wait_seconds double precision)
  language sql volatile security definer set search_path = pg_catalog, public
  as $$
    with sessions as (
      select state, xact_start, wait_event_type, pid
        from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    )
    select pg_database_size(current_database()), t.live, t.dead, d.temp_bytes, d.xact_commit, d.xact_rollback, d.deadlocks,
           d.conflicts, (select age(datfrozenxid)::bigint from pg_database where datname = current_database()),
           current_setting('max_connections')::integer, s.active, s.idle, s.open, s.oldest, s.waiting,
           coalesce((select extract(epoch from max(clock_timestamp() - l.waitstart))
                       from pg_locks l join sessions w on w.pid = l.pid
                      where not l.granted), 0)::float8
      from pg_stat_database d,
           (select coalesce(sum(n_live_tup), 0)::bigint as live, coalesce(sum(n_dead_tup), 0)::bigint as dead
              from pg_stat_user_tables) t,
           (select count(*) filter (where state = 'active')::integer as active,
                   count(*) filter (where state = 'idle')::integer as idle,
                   count(*) filter (where state like 'idle in transaction%')::integer as open,
                   coalesce(extract(epoch from max(clock_timestamp() - xact_start)), 0)::float8 as oldest,
                   count(*) filter (where wait_event_type = 'Lock')::integer as waiting
              from sessions) s
     where d.datname = current_database()
  $$;

-- How many mails wait, and for how long the oldest one has been due, over all institutions.
create function mail_totals() returns table (waiting bigint, oldest_due_seconds double precision)
  language sql stable security definer set search_path = pg_catalog, public
  as $$
    select count(*), coalesce(extract(epoch from now() - min(next_attempt_at) filter (where next_attempt_at <= now())), 0)::float8
      from outgoing_mails
     where sent_at is null and failed_at is null
  $$;

