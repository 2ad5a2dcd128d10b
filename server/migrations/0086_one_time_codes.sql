-- One-time codes (RFC 6238) that somebody is asked for after the password: the sealed secret, the last step of time whose code was used,
-- and the failures in a row.
create table one_time_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  secret text not null,
  last_step bigint not null,
  failures integer not null default 0,
  failed_at timestamptz(3),
  created_at timestamptz(3) not null default current_stamp(),
  constraint one_time_codes_pkey primary key (tenant_id, user_id),
  constraint one_time_codes_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Codes for whoever has lost what makes the others; each goes when it is used. They have 80 random bits.
create table recovery_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey primary key (tenant_id, user_id, code_hash),
  constraint recovery_codes_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Log-ins of whom a code is still asked. They open nothing.
create table log_in_steps (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  proofs text[] not null,
  attempts integer not null default 0,
  expires_at timestamptz(3) not null,
  constraint log_in_steps_pkey primary key (tenant_id, id),
  constraint log_in_steps_secret_hash_key unique (tenant_id, secret_hash),
  constraint log_in_steps_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index log_in_steps_user_idx on log_in_steps (tenant_id, user_id);
create index log_in_steps_expires_at_idx on log_in_steps (tenant_id, expires_at);
