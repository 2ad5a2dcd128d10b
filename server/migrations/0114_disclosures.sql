-- Who read which records about a person. Rows are added in batches behind the answers, and never changed; a job deletes the months
-- that are older than the institution keeps. docs/adr/0048-record-of-disclosures.md says why.
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
);
create index disclosures_id_idx on disclosures (tenant_id, id);
create index disclosures_record_ids_idx on disclosures using gin (tenant_id, record_ids);

-- Institutions without a row record disclosures and keep them for three years.
create table disclosure_settings (
  tenant_id uuid not null references tenants (id),
  enabled boolean not null,
  keep_years integer not null constraint disclosure_settings_keep_years_check check (keep_years between 1 and 100),
  updated_at timestamptz(3) not null default now(),
  constraint disclosure_settings_pkey primary key (tenant_id)
);

-- The disclosures of any of these records, newest first. Row-level security would keep the index on arrays from being used, because
-- comparing arrays may tell of what is compared: it runs as the owner, for the session's own tenant alone.
create function disclosures_of(tenant uuid, records text[], before uuid, most integer)
  returns table (id uuid)
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    begin
      if tenant is distinct from current_tenant_id() then
        return;
      end if;
      return query
        select d.id from disclosures d
         where d.tenant_id = tenant and d.record_ids && records and (before is null or d.id < before)
         order by d.id desc limit most;
    end
  $$;
