-- Addresses that events are delivered to. docs/adr/0032-webhooks.md says why it is built so.

-- What an institution says of an endpoint.
create table webhooks (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  url text not null,
  -- The types as they were asked for, and the scopes of whoever asked: it gets what these may read.
  types text[] not null,
  scopes text[] not null,
  description text not null,
  status text not null constraint webhooks_status_check check (status in ('enabled', 'disabled')),
  disabled_reason text
    constraint webhooks_disabled_reason_check check (disabled_reason in ('manual', 'failing', 'gone')),
  -- Sealed: platform/sealed-secrets.ts.
  secret text not null,
  -- The secret before, which signs as well until then.
  previous_secret text,
  previous_secret_until timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint webhooks_pkey primary key (tenant_id, id),
  constraint webhooks_disabled_check check ((status = 'disabled') = (disabled_reason is not null))
);

-- How an endpoint fares. It changes with every round of deliveries, and has no index but its key, so that it changes in place.
create table webhook_states (
  tenant_id uuid not null,
  webhook_id uuid not null,
  -- Events up to this position of the feed have their deliveries.
  position bigint not null,
  -- When something is to be tried at the earliest; null while nothing waits.
  due_at timestamptz(3),
  -- The process that delivers to it, until when nobody else does, and when it last began to. One at a time, so that first attempts are in order.
  lease uuid,
  leased_until timestamptz(3),
  turn_at timestamptz(3),
  -- It asked to be left alone until then.
  resume_at timestamptz(3),
  -- The first failure since something last arrived.
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  constraint webhook_states_pkey primary key (tenant_id, webhook_id),
  constraint webhook_states_webhook_fkey foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id)
) with (fillfactor = 30);

-- One event on its way to one endpoint. Those of an endpoint that is gone are forgotten by a job.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  type text not null,
  -- Null of a ping, which is no event.
  position bigint,
  status text not null default 'pending'
    constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'failed')),
  -- How often it was tried in vain since it was queued.
  tried integer not null default 0,
  next_attempt_at timestamptz(3) default current_stamp(),
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint webhook_deliveries_pkey primary key (tenant_id, id),
  constraint webhook_deliveries_event_key unique (tenant_id, webhook_id, event_id),
  constraint webhook_deliveries_next_check check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 80);

create index webhook_deliveries_created_idx on webhook_deliveries (tenant_id, webhook_id, created_at, id);
-- What was never tried, in the order of events, and what is tried again, in that of time.
create index webhook_deliveries_first_idx on webhook_deliveries (tenant_id, webhook_id, position)
  where status = 'pending' and tried = 0;
create index webhook_deliveries_again_idx on webhook_deliveries (tenant_id, webhook_id, next_attempt_at)
  where status = 'pending' and tried > 0;
-- What is over, for the job that forgets it.
create index webhook_deliveries_over_idx on webhook_deliveries (tenant_id, status, updated_at) where status <> 'pending';

-- The endpoints that may be delivered to and are in nobody's hands, the one that has waited for its turn for longest first. Runs
-- as the owner, because it looks across tenants; it tells ids and positions only.
create function webhooks_in_line()
  returns table (tenant_id uuid, webhook_id uuid, "position" bigint, is_due boolean, is_failing boolean)
  language sql stable security definer set search_path = pg_catalog, public
  as $$
    select s.tenant_id, s.webhook_id, s.position, coalesce(s.due_at <= now(), false), s.failing_since is not null
      from webhook_states s
      join webhooks w on w.tenant_id = s.tenant_id and w.id = s.webhook_id and w.status = 'enabled'
      join tenants t on t.id = s.tenant_id and t.status = 'active' and 'platform_integrations' = any (t.enabled_modules)
     where (s.leased_until is null or s.leased_until <= now())
       and (s.resume_at is null or s.resume_at <= now())
     order by s.turn_at nulls first
  $$;

-- How all endpoints together fare, for whoever watches the deployment. Runs as the owner, as above.
create function webhook_totals()
  returns table (delivered bigint, failed bigint, failing bigint, oldest_due_seconds double precision)
  language sql stable security definer set search_path = pg_catalog, public
  as $$
    select coalesce(sum(s.delivered), 0)::bigint, coalesce(sum(s.failed), 0)::bigint,
           count(*) filter (where w.status = 'enabled' and s.failing_since is not null),
           coalesce(extract(epoch from now() - min(s.due_at)
                    filter (where w.status = 'enabled' and s.due_at <= now() and s.failing_since is null)), 0)::float8
      from webhook_states s
      join webhooks w on w.tenant_id = s.tenant_id and w.id = s.webhook_id
  $$;

alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check
  -- None that is there can break it, so none is read for it.
  check (kind in ('document_request', 'password_reset', 'welcome', 'webhook_disabled')) not valid;
