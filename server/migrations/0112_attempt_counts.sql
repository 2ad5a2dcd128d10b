-- How often something was attempted, by kind, what it was about (its SHA-256) and the address that it came from: each kind counts
-- for itself, so that no attempt of one resets another's. Unlogged: a crash forgives a minute.
create unlogged table attempt_counts (
  tenant_id uuid not null,
  kind text not null,
  subject_hash bytea not null,
  address text not null,
  attempts integer not null,
  counted_at timestamptz not null,
  constraint attempt_counts_pkey primary key (tenant_id, kind, subject_hash, address)
) with (fillfactor = 50);
