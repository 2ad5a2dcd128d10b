-- migration: concurrently
create index concurrently if not exists payments_currency_idx on payments (tenant_id, currency, created_at, id);
