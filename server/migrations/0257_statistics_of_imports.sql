-- Makes statistics of the tables to which this transaction has added most of their rows: without them PostgreSQL takes each for empty, and
-- looks records up by any index that begins with the tenant. Runs as the owner, who alone may analyze. Citus knows no such tables.
create function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = pg_catalog, public
  as $$
    declare
      grown regclass;
    begin
      if to_regclass('pg_catalog.pg_dist_partition') is not null then
        return;
      end if;
      for grown in
        select s.relid
          from pg_stat_xact_user_tables s
          join pg_class c on c.oid = s.relid
         where s.schemaname = 'public' and s.n_tup_ins >= 500 and s.n_tup_ins > 4 * greatest(c.reltuples, 0)
      loop
        execute format('analyze (skip_locked) %s', grown);
      end loop;
    end
  $$;
