-- Reminders of what is overdue: a run proposes notices, people send them. What was sent stands as it was sent.
create table dunning_runs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  as_of date not null,
  created_by jsonb not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint dunning_runs_pkey primary key (tenant_id, id)
);
create index dunning_runs_created_at_idx on dunning_runs (tenant_id, created_at, id);
create index dunning_runs_updated_at_idx on dunning_runs (tenant_id, updated_at, created_at, id);

create table dunning_notices (
  tenant_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  account_id uuid not null,
  level integer not null,
  currency text not null,
  -- What is overdue: the payment, what is open of it, since how many days, and the level that it comes to.
  items jsonb not null,
  amount numeric not null,
  fee numeric not null,
  status text not null default 'proposed'
    constraint dunning_notices_status_check check (status in ('proposed', 'sent', 'dropped')),
  channel text constraint dunning_notices_channel_check check (channel in ('mail', 'print')),
  recipient text,
  subject text,
  text text,
  -- The payment of what the notice costs.
  fee_payment_id uuid,
  sent_at timestamptz(3),
  sent_by jsonb,
  constraint dunning_notices_pkey primary key (tenant_id, id),
  constraint dunning_notices_run_fkey foreign key (tenant_id, run_id) references dunning_runs (tenant_id, id),
  constraint dunning_notices_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id)
);
create index dunning_notices_run_idx on dunning_notices (tenant_id, run_id);
create index dunning_notices_account_idx on dunning_notices (tenant_id, account_id, sent_at);
create index dunning_notices_proposed_idx on dunning_notices (tenant_id) where status = 'proposed';

-- The level that was sent last, and when; why nothing more is sent.
alter table obligations add column dunning_level integer;
alter table obligations add column dunning_sent_on date;
alter table obligations add column dunning_hold text;
alter table obligations add column dunning_hold_note text;
-- No row has a value yet, so none is read for it.
alter table obligations add constraint obligations_dunning_hold_check
  check (dunning_hold in ('disputed', 'agreed')) not valid;

alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check
  -- None that is there can break it, so none is read for it.
  check (kind in ('document_request', 'password_reset', 'welcome', 'webhook_disabled', 'request_receipt', 'form_receipt',
                  'form_draft', 'sign_in_added', 'sign_in_removed', 'account_unlinked', 'address_replaced',
                  'place_offered', 'dunning_notice')) not valid;
