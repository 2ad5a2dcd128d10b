-- migration: concurrently
-- Payers that are no student are found by parts of their names at the fee desk; students are found as people.
create index concurrently if not exists billing_accounts_payers_idx on billing_accounts using gin (tenant_id, search_text gin_trgm_ops)
  where kind <> 'student';
