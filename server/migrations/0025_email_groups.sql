-- Lists of e-mail addresses, and programs that students enrol in by themselves.
create table email_groups (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint email_groups_docstatus_check check (docstatus in (0, 1, 2)),
  title text,
  total_subscribers integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint email_groups_pkey primary key (tenant_id, id),
  constraint email_groups_name_key unique (tenant_id, name)
);
create index email_groups_created_at_idx on email_groups (tenant_id, created_at);
create index email_groups_updated_at_idx on email_groups (tenant_id, updated_at);

create table email_group_members (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint email_group_members_docstatus_check check (docstatus in (0, 1, 2)),
  email_group text,
  email text,
  unsubscribed smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint email_group_members_pkey primary key (tenant_id, id),
  constraint email_group_members_name_key unique (tenant_id, name),
  constraint email_group_members_email_group_fkey foreign key (tenant_id, email_group) references email_groups (tenant_id, name) deferrable,
  constraint email_group_members_email_key unique (tenant_id, email_group, email)
);
create index email_group_members_created_at_idx on email_group_members (tenant_id, created_at);
create index email_group_members_updated_at_idx on email_group_members (tenant_id, updated_at);

alter table programs add column allow_self_enroll smallint not null default 0
  constraint programs_allow_self_enroll_check check (allow_self_enroll in (0, 1));
create or replace view program_records with (security_invoker = true) as
select p.tenant_id, p.id, p.name, p.owner, p.modified_by, 0::smallint as docstatus,
       p.created_at, p.updated_at, p.version,
       p.name as program_name, p.department, p.hero_image, p.program_abbreviation, p.allow_self_enroll
  from programs p;
