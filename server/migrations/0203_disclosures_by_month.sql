-- The disclosures are partitioned by month, so that a month that nobody keeps any more is dropped as a whole.
-- docs/adr/0048-record-of-disclosures.md says why. What is added meanwhile waits in the services and is written afterwards.

-- reviewed: the table that comes in its place has the same columns and constraints under the same names; until the rows are copied, what
-- is added waits in the services
alter table disclosures rename to disclosures_before;
-- reviewed: the partitioned table has a constraint of this name
alter table disclosures_before rename constraint disclosures_pkey to disclosures_before_pkey;
-- reviewed: no statement names an index
alter index disclosures_id_idx rename to disclosures_before_id_idx;
-- reviewed: no statement names an index
alter index disclosures_record_ids_idx rename to disclosures_before_record_ids_idx;

create table disclosures (
  tenant_id uuid not null references tenants (id),
  month date not null,
  id uuid not null,
  occurred_at timestamptz(3) not null,
  actor_type text not null,
  actor_id uuid,
  actor_name text not null,
  surface text not null,
  operation text not null,
  record_type text not null,
  field_group text not null,
  -- The records that were read and the people whom they are about: ids, or names in the Resource API.
  record_ids text[] not null,
  count integer not null,
  -- How a list was asked for.
  filter jsonb,
  request_id uuid,
  address text,
  constraint disclosures_pkey primary key (tenant_id, month, id)
) partition by range (month);
create index disclosures_id_idx on disclosures (tenant_id, id);
create index disclosures_record_ids_idx on disclosures using gin (tenant_id, record_ids);

-- Takes the months that have no partition, so that no entry is ever refused.
create table disclosures_default partition of disclosures default;

-- Makes the partition of a month, given by its first day, and moves what the default partition has of it. Returns whether it was
-- missing. It is closed as the whole table is; nobody but the owner has a right to it by itself.
create function make_disclosure_partition(first_day date) returns boolean
  language plpgsql set search_path = pg_catalog, public
  as $$
    declare
      partition text := 'disclosures_' || to_char(first_day, 'YYYY_MM');
      is_waiting boolean;
      rule text;
    begin
      if to_regclass(format('public.%I', partition)) is not null then
        return false;
      end if;
      -- On a cluster, a statement after one that changed tables goes to the nodes one after the other.
      perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
      is_waiting := (select count(*) > 0 from disclosures_default where month >= first_day and month < first_day + interval '1 month');
      if is_waiting then
        alter table disclosures detach partition disclosures_default;
      end if;
      execute format('create table public.%I partition of disclosures for values from (%L) to (%L)', partition, first_day,
                     (first_day + interval '1 month')::date);
      if is_waiting then
        insert into disclosures
          select * from disclosures_default where month >= first_day and month < first_day + interval '1 month';
        delete from disclosures_default where month >= first_day and month < first_day + interval '1 month';
        alter table disclosures attach partition disclosures_default default;
      end if;
      execute format('alter table public.%I enable row level security', partition);
      select pg_get_expr(p.polqual, p.polrelid) into rule from pg_policy p
       where p.polrelid = 'disclosures'::regclass and p.polname = 'of_current_tenant';
      if rule is not null then
        execute format('create policy of_current_tenant on public.%I to matricula_service using (%s) with check (%s)', partition, rule, rule);
      end if;
      return true;
    end
  $$;

-- Makes the partitions of this month and of the three after it, and of every month that the default partition has. Returns how many were
-- missing. It runs as the owner, and does the same whoever calls it and however often.
create function make_disclosure_partitions() returns integer
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '2s'
  as $$
    declare
      wanted date[] := array(select (date_trunc('month', now()) + make_interval(months => ahead))::date from generate_series(0, 3) ahead);
      missing integer := 0;
      first_day date;
    begin
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

-- Drops the months that are older than every institution keeps. Returns how many. It runs as the owner, and does the same whoever calls it.
create function drop_disclosure_partitions() returns integer
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '2s'
  as $$
    declare
      -- Institutions without settings keep three years.
      longest integer := (select greatest(3, max(keep_years)) from disclosure_settings);
      oldest text := 'disclosures_' || to_char(now() - make_interval(years => longest), 'YYYY_MM');
      dropped integer := 0;
      partition text;
    begin
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

-- The disclosures of any of these records between two months, newest first. Row-level security would keep the index on arrays from being
-- used, because comparing arrays may tell of what is compared: it runs as the owner, for the session's own tenant alone.
create function find_disclosures(tenant uuid, records text[], before uuid, first_month date, last_month date, max integer)
  returns table (month date, id uuid)
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    begin
      if tenant is distinct from current_tenant_id() then
        return;
      end if;
      return query
        select d.month, d.id from disclosures d
         where d.tenant_id = tenant and d.record_ids && records and (before is null or d.id < before)
           and d.month >= coalesce(first_month, '-infinity') and d.month <= coalesce(last_month, 'infinity')
         order by d.id desc limit max;
    end
  $$;

insert into disclosures select * from disclosures_before;
-- reviewed: its rows are in the partitioned table, and no process knows it under this name
drop table disclosures_before;
select make_disclosure_partitions();
