alter table education_settings add column waiting_list_offer_days integer not null default 0;
create table waiting_list_entries (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint waiting_list_entries_docstatus_check check (docstatus in (0, 1, 2)),
  student_group text,
  student text,
  student_name text,
  position integer not null default 0,
  status text,
  requested_on date,
  offered_on date,
  offer_expires_on date,
  note text,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint waiting_list_entries_pkey primary key (tenant_id, id),
  constraint waiting_list_entries_name_key unique (tenant_id, name)
);
create unique index waiting_list_entries_any_case_key on waiting_list_entries (tenant_id, name collate any_case);
create index waiting_list_entries_created_at_idx on waiting_list_entries (tenant_id, created_at, id);
create index waiting_list_entries_updated_at_idx on waiting_list_entries (tenant_id, updated_at, id);
create index waiting_list_entries_student_group_idx on waiting_list_entries (tenant_id, student_group) where student_group is not null;
create index waiting_list_entries_student_idx on waiting_list_entries (tenant_id, student) where student is not null;
alter table waiting_list_entries add constraint waiting_list_entries_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table waiting_list_entries add constraint waiting_list_entries_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
