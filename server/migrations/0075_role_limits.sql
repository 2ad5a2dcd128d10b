-- What an institution has taken from a role: scopes at the console's door, and rights by type of records.
create table role_limits (
  tenant_id uuid not null references tenants (id),
  role text not null,
  scopes text[] not null default '{}',
  records jsonb not null default '{}',
  updated_at timestamptz(3) not null default now(),
  constraint role_limits_pkey primary key (tenant_id, role)
);

-- Whoever looks a tenant up learns of all of them; empty for most.
alter table tenants add column role_limits jsonb not null default '{}';

-- The service's role changes no tenant, so this runs as the owner. What is set is computed first, because no node may compute it
-- otherwise than another one.
create function note_role_limits() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare
      tenant uuid := coalesce(new.tenant_id, old.tenant_id);
      noted jsonb;
    begin
      select coalesce(jsonb_object_agg(l.role, jsonb_build_object('scopes', l.scopes, 'records', l.records)), '{}')
        into noted from role_limits l where l.tenant_id = tenant;
      update tenants t set role_limits = noted where t.id = tenant;
      return null;
    end
  $$;
create trigger role_limits_noted after insert or update or delete on role_limits
  for each row execute function note_role_limits();

-- How long somebody of the staff stays logged in without doing anything. Institutions without a row have 12 hours.
create table session_settings (
  tenant_id uuid not null references tenants (id),
  idle_minutes integer not null constraint session_settings_idle_minutes_check check (idle_minutes between 5 and 10080),
  updated_at timestamptz(3) not null default now(),
  constraint session_settings_pkey primary key (tenant_id)
);
