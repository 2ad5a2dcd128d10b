-- OAuth 1.0a (RFC 5849) of OneRoster clients: the consumer key is an API key, its secret the token of that key.

-- Secrets that must be recoverable, because requests are signed with them: sealed under SECRET_KEY.
create table oauth_consumer_secrets (
  tenant_id uuid not null,
  id uuid not null,
  api_key_id uuid not null,
  secret text not null,
  created_at timestamptz(3) not null default current_stamp(),
  constraint oauth_consumer_secrets_pkey primary key (tenant_id, id),
  constraint oauth_consumer_secrets_api_key_fkey foreign key (tenant_id, api_key_id) references api_keys (tenant_id, id)
);
create index oauth_consumer_secrets_api_key_idx on oauth_consumer_secrets (tenant_id, api_key_id);
create index oauth_consumer_secrets_consumer_idx on oauth_consumer_secrets (api_key_id);

-- The nonces of the last minutes, by their SHA-256, so that no process takes a request twice.
create table oauth_nonces (
  tenant_id uuid not null,
  api_key_id uuid not null,
  nonce bytea not null,
  expires_at timestamptz(3) not null,
  constraint oauth_nonces_pkey primary key (tenant_id, api_key_id, nonce)
);
create index oauth_nonces_expires_at_idx on oauth_nonces (tenant_id, expires_at);

-- Whose consumer key it is, before the tenant is known, so it runs as the owner.
create function tenant_of_oauth_consumer(consumer uuid) returns uuid
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    begin
      return (select s.tenant_id from oauth_consumer_secrets s where s.api_key_id = consumer limit 1);
    end
  $$;
