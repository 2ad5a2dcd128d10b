-- Passkeys (Web Authentication) that people log in with. Of each only the public key is here; for which host name it was made is checked, so that
-- an institution that moves knows which ones its people must make anew.
create table passkeys (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  rp_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz(3) not null default current_stamp(),
  last_used_at timestamptz(3),
  constraint passkeys_pkey primary key (tenant_id, id),
  constraint passkeys_credential_id_key unique (tenant_id, credential_id),
  constraint passkeys_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index passkeys_user_idx on passkeys (tenant_id, user_id);
