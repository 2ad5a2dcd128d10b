create table enrollment_history (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint enrollment_history_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  program text,
  program_enrollment text,
  entry_date date,
  entry_code text,
  exit_date date,
  exit_code text,
  remarks text,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint enrollment_history_pkey primary key (tenant_id, id),
  constraint enrollment_history_name_key unique (tenant_id, name)
);
create unique index enrollment_history_any_case_key on enrollment_history (tenant_id, name collate any_case);
create index enrollment_history_created_at_idx on enrollment_history (tenant_id, created_at, id);
create index enrollment_history_updated_at_idx on enrollment_history (tenant_id, updated_at, id);
create index enrollment_history_student_entry_date_idx on enrollment_history (tenant_id, student, entry_date, id);
create index enrollment_history_student_idx on enrollment_history (tenant_id, student) where student is not null;
create index enrollment_history_program_enrollment_idx on enrollment_history (tenant_id, program_enrollment) where program_enrollment is not null;
alter table enrollment_history add constraint enrollment_history_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table enrollment_history add constraint enrollment_history_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table enrollment_history add constraint enrollment_history_program_enrollment_fkey foreign key (tenant_id, program_enrollment)
  references program_enrollments (tenant_id, name) deferrable;
