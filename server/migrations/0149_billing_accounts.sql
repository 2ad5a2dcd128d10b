-- Who pays: families, companies, sponsors and students. What a payment asks for stays in `payments`; who owes it and what is open of it is
-- in `obligations`, so that computed sums are no change of a payment. docs/adr/0058-billing-accounts.md says why.
create table billing_accounts (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  number integer not null,
  account_number text not null,
  -- The student whose own account it is, and by whose name it is called then.
  student_id uuid,
  name text,
  kind text not null
    constraint billing_accounts_kind_check check (kind in ('family', 'company', 'sponsor', 'student')),
  currency text not null constraint billing_accounts_currency_check check (currency ~ '^[A-Z]{3}$'),
  language text not null,
  email text,
  phone text,
  country text,
  state_province text,
  city text,
  address text,
  postal_code text,
  tax_id text,
  deliver_by text not null default 'none'
    constraint billing_accounts_deliver_by_check check (deliver_by in ('mail', 'print', 'none')),
  payment_terms text,
  mandate_id text,
  mandate_iban text,
  mandate_signed_at date,
  mandate_sequence text,
  -- What it is found by, beside the name of its student.
  search_text text not null default '',
  -- Money received that is not allocated.
  credit numeric not null default 0 constraint billing_accounts_credit_check check (credit >= 0),
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint billing_accounts_pkey primary key (tenant_id, id),
  constraint billing_accounts_number_key unique (tenant_id, number),
  constraint billing_accounts_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id)
);
create unique index billing_accounts_external_id_key on billing_accounts (tenant_id, external_id)
  where external_id is not null;
create unique index billing_accounts_student_key on billing_accounts (tenant_id, student_id, currency)
  where student_id is not null;
create index billing_accounts_created_at_idx on billing_accounts (tenant_id, created_at, id);
create index billing_accounts_updated_at_idx on billing_accounts (tenant_id, updated_at, created_at, id);

create table billing_shares (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  student_id uuid not null,
  -- The fee categories that it is for; null: all that no other share names.
  categories text[],
  percent numeric not null constraint billing_shares_percent_check check (percent > 0 and percent <= 100),
  valid_from date,
  valid_to date,
  constraint billing_shares_pkey primary key (tenant_id, id),
  constraint billing_shares_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id),
  constraint billing_shares_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id)
);
create index billing_shares_student_idx on billing_shares (tenant_id, student_id);
create index billing_shares_account_idx on billing_shares (tenant_id, account_id);

create table obligations (
  tenant_id uuid not null,
  payment_id uuid not null,
  account_id uuid not null,
  fee text,
  reference text not null,
  invoice_number text not null,
  -- Where it is posted; null for an institution without a company.
  company text,
  receivable_account text,
  income_account text,
  cost_center text,
  posted_on date not null,
  -- The due date as a day in the institution's time zone.
  due_on date not null,
  -- The day on which the charge was reversed.
  closed_on date,
  paid_amount numeric not null default 0 constraint obligations_paid_amount_check check (paid_amount >= 0),
  adjusted_amount numeric not null default 0 constraint obligations_adjusted_amount_check check (adjusted_amount >= 0),
  open_amount numeric not null constraint obligations_open_amount_check check (open_amount >= 0),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint obligations_pkey primary key (tenant_id, payment_id),
  constraint obligations_payment_fkey foreign key (tenant_id, payment_id) references payments (tenant_id, id)
    on delete cascade,
  constraint obligations_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id)
);
create unique index obligations_reference_key on obligations (tenant_id, reference);
create index obligations_account_idx on obligations (tenant_id, account_id, due_on);
create index obligations_open_idx on obligations (tenant_id, account_id) where open_amount <> 0;
create index obligations_fee_idx on obligations (tenant_id, fee) where fee is not null;
create index obligations_invoice_idx on obligations (tenant_id, invoice_number);

create table billing_receipts (
  tenant_id uuid not null,
  id uuid not null,
  receipt_number text not null,
  -- What its ledger entries name: its number, or the payment that was said to be paid.
  voucher_no text not null,
  account_id uuid not null,
  received_on date not null,
  method text not null,
  reference text,
  amount numeric not null constraint billing_receipts_amount_check check (amount > 0),
  currency text not null,
  unallocated numeric not null default 0,
  status text not null default 'posted'
    constraint billing_receipts_status_check check (status in ('posted', 'reversed')),
  reversed_on date,
  reversal_reason text,
  created_by jsonb not null,
  reversed_by jsonb,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint billing_receipts_pkey primary key (tenant_id, id),
  constraint billing_receipts_number_key unique (tenant_id, receipt_number),
  constraint billing_receipts_account_fkey foreign key (tenant_id, account_id) references billing_accounts (tenant_id, id)
);
create index billing_receipts_created_at_idx on billing_receipts (tenant_id, created_at, id);
create index billing_receipts_updated_at_idx on billing_receipts (tenant_id, updated_at, created_at, id);
create index billing_receipts_account_idx on billing_receipts (tenant_id, account_id, received_on);
create index billing_receipts_received_on_idx on billing_receipts (tenant_id, received_on);

create table billing_receipt_allocations (
  tenant_id uuid not null,
  receipt_id uuid not null,
  payment_id uuid not null,
  amount numeric not null constraint billing_receipt_allocations_amount_check check (amount > 0),
  position integer not null,
  constraint billing_receipt_allocations_pkey primary key (tenant_id, receipt_id, payment_id),
  constraint billing_receipt_allocations_receipt_fkey foreign key (tenant_id, receipt_id)
    references billing_receipts (tenant_id, id),
  constraint billing_receipt_allocations_payment_fkey foreign key (tenant_id, payment_id)
    references obligations (tenant_id, payment_id) on delete cascade
);
create index billing_receipt_allocations_payment_idx on billing_receipt_allocations (tenant_id, payment_id);

create table billing_adjustments (
  tenant_id uuid not null,
  id uuid not null,
  number text not null,
  account_id uuid not null,
  payment_id uuid not null,
  kind text not null constraint billing_adjustments_kind_check check (kind in ('write_off', 'credit_note')),
  amount numeric not null constraint billing_adjustments_amount_check check (amount > 0),
  -- What it took off the open amount; the rest is credit of the account.
  applied numeric not null,
  reason text not null,
  posted_on date not null,
  created_at timestamptz(3) not null default current_stamp(),
  constraint billing_adjustments_pkey primary key (tenant_id, id),
  constraint billing_adjustments_number_key unique (tenant_id, number),
  constraint billing_adjustments_payment_fkey foreign key (tenant_id, payment_id)
    references obligations (tenant_id, payment_id) on delete cascade
);
create index billing_adjustments_payment_idx on billing_adjustments (tenant_id, payment_id);
create index billing_adjustments_account_idx on billing_adjustments (tenant_id, account_id, posted_on);

-- What an institution says of billing, and up to which payment those of earlier versions have their obligations.
create table billing_settings (
  tenant_id uuid not null references tenants (id),
  settings jsonb not null default '{}',
  charged_until timestamptz(3),
  constraint billing_settings_pkey primary key (tenant_id)
);

-- The billing account of a line that debits or credits what it owes.
alter table gl_entries add column billing_account_id uuid;
alter table education_settings add column books_closed_until date;
