-- What is collected by direct debit: a run for one day, and a transaction for each account with what the file for the bank says of
-- it, whatever becomes of the account later. Whether it was returned is told by its receipt.
create table direct_debits (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  collection_date date not null,
  due_to date not null,
  creditor jsonb not null,
  created_by jsonb not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint direct_debits_pkey primary key (tenant_id, id)
);
create index direct_debits_created_at_idx on direct_debits (tenant_id, created_at, id);
create index direct_debits_updated_at_idx on direct_debits (tenant_id, updated_at, created_at, id);

create table direct_debit_transactions (
  tenant_id uuid not null,
  id uuid not null,
  direct_debit_id uuid not null,
  position integer not null,
  end_to_end_id text not null,
  account_id uuid not null,
  receipt_id uuid not null,
  mandate_id text not null,
  mandate_signed_at date not null,
  sequence text not null constraint direct_debit_transactions_sequence_check check (sequence in ('FRST', 'RCUR')),
  debtor_name text not null,
  debtor_iban text not null,
  amount numeric not null constraint direct_debit_transactions_amount_check check (amount > 0),
  currency text not null,
  remittance_text text not null,
  constraint direct_debit_transactions_pkey primary key (tenant_id, id),
  constraint direct_debit_transactions_end_to_end_id_key unique (tenant_id, end_to_end_id),
  constraint direct_debit_transactions_run_fkey foreign key (tenant_id, direct_debit_id)
    references direct_debits (tenant_id, id),
  constraint direct_debit_transactions_account_fkey foreign key (tenant_id, account_id)
    references billing_accounts (tenant_id, id),
  constraint direct_debit_transactions_receipt_fkey foreign key (tenant_id, receipt_id)
    references billing_receipts (tenant_id, id)
);
create index direct_debit_transactions_run_idx on direct_debit_transactions (tenant_id, direct_debit_id, position);
create index direct_debit_transactions_account_idx on direct_debit_transactions (tenant_id, account_id);
create index direct_debit_transactions_receipt_idx on direct_debit_transactions (tenant_id, receipt_id);
