-- The tables that every feature stands on. Names of constraints are part of the code.

-- The tenant that the session speaks for; null outside of one, and then no row of any tenant is visible.
create function current_tenant_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('matricula.tenant_id', true), '')::uuid $$;

-- Stamps have milliseconds, so that one that was sent out and comes back compares equal.
create function current_stamp() returns timestamptz language sql volatile
  as $$ select date_trunc('milliseconds', clock_timestamp()) $$;

create table tenants (
  id uuid not null constraint tenants_pkey primary key,
  slug text not null constraint tenants_slug_key unique
    constraint tenants_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  status text not null default 'active' constraint tenants_status_check check (status in ('active', 'suspended')),
  host text constraint tenants_host_key unique,
  time_zone text not null default 'UTC',
  currency text not null default 'USD' constraint tenants_currency_check check (currency ~ '^[A-Z]{3}$'),
  enabled_modules text[] not null,
  sor_students text not null default 'integration'
    constraint tenants_sor_students_check check (sor_students in ('platform', 'integration', 'shared')),
  sor_enrollment text not null default 'integration'
    constraint tenants_sor_enrollment_check check (sor_enrollment in ('platform', 'integration', 'shared')),
  sor_payments text not null default 'integration'
    constraint tenants_sor_payments_check check (sor_payments in ('platform', 'integration', 'shared')),
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp()
);

-- What a key may do; stable while its secrets come and go.
create table api_keys (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  kind text not null constraint api_keys_kind_check check (kind in ('client', 'resource')),
  scopes text[] not null default '{}',
  master_domains text[] not null default '{}',
  roles text[] not null default '{}',
  requests_per_minute integer not null default 600
    constraint api_keys_requests_per_minute_check check (requests_per_minute between 1 and 1000000),
  created_at timestamptz(3) not null default current_stamp(),
  revoked_at timestamptz(3),
  constraint api_keys_pkey primary key (tenant_id, id)
);

create table api_key_secrets (
  tenant_id uuid not null,
  id uuid not null,
  api_key_id uuid not null,
  secret_hash bytea not null,
  last_four text not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default current_stamp(),
  last_used_at timestamptz(3),
  constraint api_key_secrets_pkey primary key (tenant_id, id),
  constraint api_key_secrets_api_key_fkey foreign key (tenant_id, api_key_id) references api_keys (tenant_id, id)
);
create index api_key_secrets_secret_hash_idx on api_key_secrets (secret_hash);
create index api_key_secrets_api_key_idx on api_key_secrets (tenant_id, api_key_id);

-- Finds what a secret opens before the tenant is known: the one look-up across tenants, so it runs as the owner.
create function authenticate_api_key(hash bytea)
  returns table (
    tenant_id uuid, tenant_slug text, tenant_name text, tenant_status text, time_zone text, currency text,
    enabled_modules text[], sor_students text, sor_enrollment text, sor_payments text,
    api_key_id uuid, api_key_name text, kind text, scopes text[], master_domains text[], roles text[],
    requests_per_minute integer, revoked_at timestamptz, secret_id uuid, expires_at timestamptz, last_used_at timestamptz
  )
  language sql stable security definer set search_path = pg_catalog, public
  as $$
    select t.id, t.slug, t.name, t.status, t.time_zone, t.currency,
           t.enabled_modules, t.sor_students, t.sor_enrollment, t.sor_payments,
           k.id, k.name, k.kind, k.scopes, k.master_domains, k.roles,
           k.requests_per_minute, k.revoked_at, s.id, s.expires_at, s.last_used_at
      from api_key_secrets s
      join api_keys k on k.tenant_id = s.tenant_id and k.id = s.api_key_id
      join tenants t on t.id = s.tenant_id
     where s.secret_hash = hash
     limit 1
  $$;

-- What the processes have leased of a key's quota in its current window of a minute. Unlogged: a crash forgives a minute.
create unlogged table rate_limit_windows (
  tenant_id uuid not null,
  api_key_id uuid not null,
  started_at timestamptz not null,
  leased integer not null,
  granted integer not null,
  constraint rate_limit_windows_pkey primary key (tenant_id, api_key_id)
) with (fillfactor = 50);

-- The outcome of each request that carried an Idempotency-Key.
create table idempotency_keys (
  tenant_id uuid not null,
  api_key_id uuid not null,
  key text not null collate "C",
  operation text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  location text,
  entity_tag text,
  expires_at timestamptz(3) not null,
  constraint idempotency_keys_pkey primary key (tenant_id, api_key_id, key)
);
create index idempotency_keys_expires_at_idx on idempotency_keys (tenant_id, expires_at);

-- Who did what on which record: one row for each change, written in the change's own transaction.
create table audit_entries (
  tenant_id uuid not null,
  id uuid not null,
  occurred_at timestamptz(3) not null,
  action text not null,
  entity_type text not null,
  entity_id uuid not null,
  actor_type text not null constraint audit_entries_actor_type_check check (actor_type in ('api_key', 'user', 'operator', 'system')),
  actor_id uuid,
  actor_name text not null,
  before jsonb,
  after jsonb,
  request_id uuid,
  address text,
  constraint audit_entries_pkey primary key (tenant_id, id)
);
create index audit_entries_entity_idx on audit_entries (tenant_id, entity_type, entity_id, occurred_at);

-- What happened, for readers that follow along. A reader sees an event once no older transaction is still open.
create table events (
  tenant_id uuid not null,
  position bigint not null generated always as identity,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  entity_type text not null,
  entity_id uuid not null,
  external_id text,
  changed text[] not null,
  actor_type text not null,
  actor_id uuid,
  actor_name text not null,
  request_id uuid,
  transaction_id xid8 not null default pg_current_xact_id(),
  constraint events_pkey primary key (tenant_id, position)
);
create index events_entity_idx on events (tenant_id, entity_type, entity_id);
create index events_occurred_at_idx on events (tenant_id, occurred_at);

-- How many records a list has, by status, in shards so that writers do not queue for one row.
create table record_counts (
  tenant_id uuid not null,
  entity_type text not null,
  status text not null,
  shard smallint not null,
  count bigint not null,
  constraint record_counts_pkey primary key (tenant_id, entity_type, status, shard)
) with (fillfactor = 50);

-- The last number given out in each series of record names.
create table naming_series (
  tenant_id uuid not null,
  prefix text not null,
  current integer not null,
  constraint naming_series_pkey primary key (tenant_id, prefix)
) with (fillfactor = 50);

-- Start of the oldest transaction that is still open in this database, or now. What is stamped later commits later.
-- Runs as the owner, because the service's role may not see what other sessions do.
create function oldest_open_transaction() returns timestamptz
  language sql volatile security definer set search_path = pg_catalog, public
  as $$
    select least(clock_timestamp(), min(xact_start))
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  $$;

-- A stamp inside JSON in the form of the interface: RFC 3339 in UTC with milliseconds.
create function stamp_text(stamp timestamptz) returns text language sql stable parallel safe
  as $$ select to_char(stamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
