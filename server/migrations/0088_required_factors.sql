-- What people with a role must show beside or instead of a password: one of these. Without a row nothing is.
create table required_factors (
  tenant_id uuid not null references tenants (id),
  role text not null,
  any_of text[] not null,
  updated_at timestamptz(3) not null default current_stamp(),
  constraint required_factors_pkey primary key (tenant_id, role),
  constraint required_factors_any_of_check check (any_of <> '{}' and any_of <@ '{code,passkey,issuer}')
);

-- What a log-in that is half done still needs: a code, or a way to log in that is set up first.
alter table log_in_steps add column asks text not null default 'code';

-- At which issuers somebody took the own account away: none is linked there by its address until they say so.
create table removed_issuers (
  tenant_id uuid not null,
  user_id uuid not null,
  issuer text not null,
  removed_at timestamptz(3) not null default current_stamp(),
  constraint removed_issuers_pkey primary key (tenant_id, user_id, issuer),
  constraint removed_issuers_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
