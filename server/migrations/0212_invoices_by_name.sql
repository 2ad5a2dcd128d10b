-- migration: concurrently
-- Invoices and receipts are found by their names in any case, and listed by their days.
create index concurrently if not exists obligations_any_case_idx on obligations (tenant_id, invoice_number collate any_case);
create index concurrently if not exists billing_receipts_any_case_idx on billing_receipts (tenant_id, receipt_number collate any_case);
create index concurrently if not exists billing_accounts_any_case_idx on billing_accounts (tenant_id, account_number collate any_case);
create index concurrently if not exists billing_accounts_name_idx on billing_accounts (tenant_id, account_number);
create index concurrently if not exists obligations_posted_on_idx on obligations (tenant_id, posted_on);
