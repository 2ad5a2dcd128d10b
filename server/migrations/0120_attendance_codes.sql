create table attendance_codes (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint attendance_codes_docstatus_check check (docstatus in (0, 1, 2)),
  code text,
  label text,
  counts_as text,
  minutes integer not null default 0,
  position integer not null default 0,
  disabled smallint not null default 0,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint attendance_codes_pkey primary key (tenant_id, id),
  constraint attendance_codes_name_key unique (tenant_id, name)
);
create unique index attendance_codes_any_case_key on attendance_codes (tenant_id, name collate any_case);
create index attendance_codes_created_at_idx on attendance_codes (tenant_id, created_at, id);
create index attendance_codes_updated_at_idx on attendance_codes (tenant_id, updated_at, id);
create table attendance_codes_translations (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  language text,
  label text,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint attendance_codes_translations_pkey primary key (tenant_id, id),
  constraint attendance_codes_translations_parent_fkey foreign key (tenant_id, parent_id) references attendance_codes (tenant_id, id) on delete cascade
);
create index attendance_codes_translations_parent_idx on attendance_codes_translations (tenant_id, parent_id, idx);
create unique index attendance_codes_translations_name_key on attendance_codes_translations (tenant_id, name);
alter table education_settings add column attendance_total_based_on text;
alter table student_attendances add column attendance_code text;
alter table student_attendances add column minutes_late integer not null default 0;
alter table student_attendances add column excused smallint not null default 0;
alter table student_attendances add column half_day smallint not null default 0;
alter table student_attendances add column half_day_before_leave smallint not null default 0;
alter table student_leave_applications add column half_day smallint not null default 0;
alter table attendance_codes_translations add constraint attendance_codes_translations_language_fkey foreign key (tenant_id, language)
  references languages (tenant_id, name) deferrable;
alter table student_attendances add constraint student_attendances_attendance_code_fkey foreign key (tenant_id, attendance_code)
  references attendance_codes (tenant_id, name) deferrable not valid;
