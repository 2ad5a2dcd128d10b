-- migration: concurrently
-- A fee may have several payments: one for each account and instalment.
create index concurrently if not exists payments_of_fee_idx on payments (tenant_id, fee) where fee is not null;
drop index concurrently if exists payments_fee_key;
create index concurrently if not exists gl_entries_billing_account_idx on gl_entries (tenant_id, billing_account_id, posting_date)
  where billing_account_id is not null;
