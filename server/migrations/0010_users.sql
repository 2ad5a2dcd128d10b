-- People who log in, what they may do, and where they are logged in.

-- A UUID of version 7 (RFC 9562 §5.7), for rows that a migration or a seed makes.
create function new_uuid7() returns uuid language sql volatile
  as $$
    select encode(
      set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid())
                placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
        52, 1), 53, 1), 'hex')::uuid
  $$;

create table roles (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  version integer not null default 1,
  role_name text not null,
  -- Whether those who have it are staff.
  desk_access smallint not null default 1 constraint roles_desk_access_check check (desk_access in (0, 1)),
  disabled smallint not null default 0 constraint roles_disabled_check check (disabled in (0, 1)),
  -- Whether the institution made it; the others come with the service.
  is_custom smallint not null default 0 constraint roles_is_custom_check check (is_custom in (0, 1)),
  constraint roles_pkey primary key (tenant_id, id),
  constraint roles_name_key unique (tenant_id, name)
);

create table users (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  -- The e-mail address in lower case.
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  version integer not null default 1,
  email text not null,
  first_name text not null,
  middle_name text,
  last_name text,
  full_name text not null,
  username text,
  enabled smallint not null default 1 constraint users_enabled_check check (enabled in (0, 1)),
  user_type text not null default 'System User'
    constraint users_user_type_check check (user_type in ('System User', 'Website User')),
  user_image text,
  language text,
  time_zone text,
  mobile_no text,
  gender text,
  birth_date date,
  last_login timestamptz(3),
  api_key text,
  -- Not a field of the record: the password as scrypt with its parameters, and when it was set. Null: nobody can log in.
  password_hash text,
  password_changed_at timestamptz(3),
  constraint users_pkey primary key (tenant_id, id),
  constraint users_name_key unique (tenant_id, name),
  constraint users_username_key unique (tenant_id, username)
);

create table users_roles (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  parent_id uuid not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  role text,
  constraint users_roles_pkey primary key (tenant_id, id),
  constraint users_roles_name_key unique (tenant_id, name),
  constraint users_roles_parent_fkey foreign key (tenant_id, parent_id)
    references users (tenant_id, id) on delete cascade
);
create index users_roles_parent_idx on users_roles (tenant_id, parent_id, idx);

-- Where somebody is logged in. Of what the cookie holds only the SHA-256 is kept.
create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  -- Of the token that a page of this session was given; writes of the session must bring it. Null: no page was.
  csrf_token_hash bytea,
  created_at timestamptz(3) not null default current_stamp(),
  last_seen_at timestamptz(3) not null default current_stamp(),
  expires_at timestamptz(3) not null,
  constraint sessions_pkey primary key (tenant_id, id),
  constraint sessions_secret_hash_key unique (tenant_id, secret_hash),
  constraint sessions_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sessions_user_idx on sessions (tenant_id, user_id);
create index sessions_expires_at_idx on sessions (tenant_id, expires_at);

-- How often a log-in failed in a row, by what was typed as the user (its SHA-256) and the address it came from.
-- Unlogged: a crash forgives a minute.
create unlogged table log_in_failures (
  tenant_id uuid not null,
  user_hash bytea not null,
  address text not null,
  failures integer not null,
  counted_at timestamptz not null,
  constraint log_in_failures_pkey primary key (tenant_id, user_hash, address)
) with (fillfactor = 50);

-- Gives a tenant the roles that record types and the service itself speak of.
create function seed_roles(tenant uuid) returns void language sql volatile
  as $$
    insert into roles (tenant_id, id, name, role_name, desk_access)
    select tenant, new_uuid7(), role, role, desk_access
      from (values ('Administrator', 1), ('System Manager', 1), ('Academics User', 1), ('Education Manager', 1),
                   ('Instructor', 1), ('Accounts User', 1), ('Accounts Manager', 1), ('Student', 0), ('Guardian', 0),
                   ('Guest', 0), ('All', 0), ('Desk User', 1)) as known (role, desk_access)
    on conflict on constraint roles_name_key do nothing
  $$;

select seed_roles(id) from tenants;
