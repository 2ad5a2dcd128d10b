-- What cards paid is booked whoever tells of it: the browser, the gateway's webhook, or a job that asks the gateway.
alter table education_settings add column razorpay_webhook_secret text;
create index payment_records_order_idx on payment_records (tenant_id, order_id) where order_id is not null;
create index payment_records_payment_idx on payment_records (tenant_id, payment_id) where payment_id is not null;

-- When the gateway is asked next what became of an order.
create table card_order_checks (
  tenant_id uuid not null references tenants (id),
  payment_record_id uuid not null,
  checks integer not null default 0,
  next_check_at timestamptz(3) not null,
  constraint card_order_checks_pkey primary key (tenant_id, payment_record_id),
  constraint card_order_checks_record_fkey foreign key (tenant_id, payment_record_id)
    references payment_records (tenant_id, id) on delete cascade
);
create index card_order_checks_next_idx on card_order_checks (tenant_id, next_check_at, payment_record_id);
insert into card_order_checks (tenant_id, payment_record_id, next_check_at)
select tenant_id, id, now() from payment_records
 where order_id is not null and status in ('Created', 'Failed') and created_at > now() - interval '7 days';

-- Events of the gateway that were booked, since it may send one again.
create table card_gateway_events (
  tenant_id uuid not null references tenants (id),
  event_id text not null,
  received_at timestamptz(3) not null default current_stamp(),
  constraint card_gateway_events_pkey primary key (tenant_id, event_id)
);
create index card_gateway_events_received_idx on card_gateway_events (tenant_id, received_at);

-- The account of money that came in and is not applied to anything yet.
alter table companies add column default_unapplied_account text;
insert into accounts (tenant_id, id, name, account_name, company, is_group, root_type, report_type, account_type, account_currency)
select tenant_id, new_uuid7(), 'Unapplied Payments - ' || abbr, 'Unapplied Payments', name, 0, 'Liability', 'Balance Sheet', '',
       default_currency
  from companies
on conflict do nothing;
update companies c
   set default_unapplied_account = a.name, version = c.version + 1, updated_at = greatest(current_stamp(), c.updated_at)
  from accounts a
 where a.tenant_id = c.tenant_id and a.company = c.name and a.account_name = 'Unapplied Payments'
   and a.name = 'Unapplied Payments - ' || c.abbr;
create index companies_default_unapplied_account_idx on companies (tenant_id, default_unapplied_account)
  where default_unapplied_account is not null;
alter table companies add constraint companies_default_unapplied_account_fkey
  foreign key (tenant_id, default_unapplied_account) references accounts (tenant_id, name) deferrable;

-- What the staff have to do.
create table todos (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint todos_docstatus_check check (docstatus in (0, 1, 2)),
  status text,
  priority text,
  color text,
  date date,
  allocated_to text,
  description text,
  reference_type text,
  reference_name text,
  role text,
  assigned_by text,
  assigned_by_full_name text,
  sender text,
  assignment_rule text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint todos_pkey primary key (tenant_id, id),
  constraint todos_name_key unique (tenant_id, name)
);
create unique index todos_any_case_key on todos (tenant_id, name collate any_case);
create index todos_created_at_idx on todos (tenant_id, created_at);
create index todos_updated_at_idx on todos (tenant_id, updated_at);
create index todos_allocated_to_idx on todos (tenant_id, allocated_to) where allocated_to is not null;
create index todos_assigned_by_idx on todos (tenant_id, assigned_by) where assigned_by is not null;
alter table todos add constraint todos_allocated_to_fkey foreign key (tenant_id, allocated_to)
  references users (tenant_id, name) deferrable;
alter table todos add constraint todos_role_fkey foreign key (tenant_id, role)
  references roles (tenant_id, name) deferrable;
alter table todos add constraint todos_assigned_by_fkey foreign key (tenant_id, assigned_by)
  references users (tenant_id, name) deferrable;
