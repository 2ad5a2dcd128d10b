-- How each session began, as it is shown to whom it belongs: what was proven, with which browser, and from which network.
alter table sessions add column proofs text[] not null default '{password}';
alter table sessions add column agent text;
alter table sessions add column network text;

-- Issuers of OpenID Connect with whose accounts an institution's people log in. The secret is sealed.
create table issuers (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key text not null,
  name text not null,
  issuer text not null,
  client_id text not null,
  client_secret text not null,
  domains text[] not null default '{}',
  trusts_addresses boolean not null default false,
  creates_users boolean not null default false,
  new_user_roles text[] not null default '{}',
  is_active boolean not null default true,
  updated_at timestamptz(3) not null default current_stamp(),
  constraint issuers_pkey primary key (tenant_id, id),
  constraint issuers_key_key unique (tenant_id, key)
);

-- Which account at an issuer is which user's: by its subject, which never changes, and not by its address.
create table issuer_accounts (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  email text,
  linked_at timestamptz(3) not null default current_stamp(),
  constraint issuer_accounts_pkey primary key (tenant_id, id),
  constraint issuer_accounts_subject_key unique (tenant_id, issuer, subject),
  constraint issuer_accounts_user_key unique (tenant_id, user_id, issuer),
  constraint issuer_accounts_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- What works once for a log-in and was used, until its time would be over anyway.
create table used_tickets (
  tenant_id uuid not null references tenants (id),
  ticket_hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint used_tickets_pkey primary key (tenant_id, ticket_hash)
);
create index used_tickets_expires_at_idx on used_tickets (tenant_id, expires_at);

-- Mails that tell somebody of another way to log in, or of one that is gone.
alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check
  -- None that is there can break it, so none is read for it.
  check (kind in ('document_request', 'password_reset', 'welcome', 'webhook_disabled', 'request_receipt', 'form_receipt',
                  'form_draft', 'sign_in_added', 'sign_in_removed')) not valid;
