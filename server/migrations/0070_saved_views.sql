-- Ways in which lists are shown, kept under names: somebody's own, a role's, or everybody's.
create table saved_views (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  list text not null,
  title text not null,
  audience text not null constraint saved_views_audience_check check (audience in ('mine', 'role', 'everybody')),
  role text,
  settings jsonb not null default '{}',
  owner text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint saved_views_pkey primary key (tenant_id, id),
  constraint saved_views_role_check check ((audience = 'role') = (role is not null))
);
create index saved_views_owner_idx on saved_views (tenant_id, owner);

-- How people want the console to be.
create table user_preferences (
  tenant_id uuid not null,
  user_id uuid not null,
  preferences jsonb not null,
  updated_at timestamptz(3) not null default current_stamp(),
  constraint user_preferences_pkey primary key (tenant_id, user_id),
  constraint user_preferences_user_fkey foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
