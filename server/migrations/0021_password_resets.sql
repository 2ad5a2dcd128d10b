-- What somebody who forgot the password asked for. The key that the mail brings is made when the mail is written; only its
-- SHA-256 is kept, until it is used or its time is over.
create table password_resets (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  created_at timestamptz(3) not null default current_stamp(),
  key_hash bytea,
  expires_at timestamptz(3),
  constraint password_resets_pkey primary key (tenant_id, id),
  constraint password_resets_key_hash_key unique (tenant_id, key_hash),
  constraint password_resets_key_check check ((key_hash is null) = (expires_at is null)),
  constraint password_resets_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index password_resets_user_idx on password_resets (tenant_id, user_id, created_at);

alter table outgoing_mails drop constraint outgoing_mails_kind_check;
alter table outgoing_mails add constraint outgoing_mails_kind_check
  check (kind in ('document_request', 'password_reset'));
