-- migration: concurrently
-- Only what asks for the expiry can be planned with this index. With the one before, a plan that was made while the table was empty
-- looked for a key by it, and read all keys of the tenant.
create index concurrently if not exists idempotency_keys_expiry_idx
  on idempotency_keys (tenant_id, expires_at) where expires_at is not null;
drop index concurrently if exists idempotency_keys_expires_at_idx;
