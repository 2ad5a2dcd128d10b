-- On a cluster, what comes before a change of tables goes to the nodes one after the other as well: Citus refuses the change otherwise. Other
-- databases know these settings as names alone.
create or replace function make_disclosure_partitions() returns integer
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '2s'
  as $$
    declare
      wanted date[] := array(select (date_trunc('month', now()) + make_interval(months => ahead))::date from generate_series(0, 3) ahead);
      missing integer := 0;
      first_day date;
    begin
      perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
      perform set_config('citus.max_adaptive_executor_pool_size', '1', true);
      perform pg_advisory_xact_lock(hashtextextended('matricula.disclosure_partitions', 0));
      wanted := wanted || array(select distinct date_trunc('month', month)::date from disclosures_default);
      foreach first_day in array wanted loop
        if make_disclosure_partition(first_day) then
          missing := missing + 1;
        end if;
      end loop;
      return missing;
    end
  $$;

create or replace function drop_disclosure_partitions() returns integer
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '2s'
  as $$
    declare
      -- Institutions without settings keep three years.
      longest integer := (select greatest(3, max(keep_years)) from disclosure_settings);
      oldest text := 'disclosures_' || to_char(now() - make_interval(years => longest), 'YYYY_MM');
      dropped integer := 0;
      partition text;
    begin
      perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
      perform set_config('citus.max_adaptive_executor_pool_size', '1', true);
      perform pg_advisory_xact_lock(hashtextextended('matricula.disclosure_partitions', 0));
      for partition in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'disclosures'::regclass and c.relname ~ '^disclosures_\d{4}_\d{2}$' and c.relname < oldest
      loop
        execute format('drop table public.%I', partition);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end
  $$;
