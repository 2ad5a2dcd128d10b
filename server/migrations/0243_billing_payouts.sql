-- Credit of a billing account that was paid out to the payer. docs/adr/0058-billing-accounts.md says why it is no receipt.
create table billing_payouts (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  payout_number text not null,
  account_id uuid not null,
  paid_on date not null,
  method text not null,
  reference text,
  reason text,
  amount numeric not null constraint billing_payouts_amount_check check (amount > 0),
  currency text not null,
  status text not null default 'posted'
    constraint billing_payouts_status_check check (status in ('posted', 'reversed')),
  reversed_on date,
  reversal_reason text,
  created_by jsonb not null,
  reversed_by jsonb,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint billing_payouts_pkey primary key (tenant_id, id),
  constraint billing_payouts_number_key unique (tenant_id, payout_number),
  constraint billing_payouts_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id)
);
create index billing_payouts_created_at_idx on billing_payouts (tenant_id, created_at, id);
create index billing_payouts_updated_at_idx on billing_payouts (tenant_id, updated_at, created_at, id);
create index billing_payouts_account_idx on billing_payouts (tenant_id, account_id, paid_on);
