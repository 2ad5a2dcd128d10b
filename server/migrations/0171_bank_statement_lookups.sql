-- migration: concurrently
-- What a line of a bank statement refers to: a receipt by the end-to-end id of its collection, an account by its number, an
-- obligation by what is open of it.
create index concurrently if not exists billing_receipts_reference_idx on billing_receipts (tenant_id, reference)
  where reference is not null;
create index concurrently if not exists billing_accounts_account_number_idx on billing_accounts (tenant_id, account_number);
create index concurrently if not exists obligations_open_amount_idx on obligations (tenant_id, open_amount, due_on, payment_id)
  where open_amount <> 0;
