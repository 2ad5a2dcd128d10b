create table student_promotions (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_promotions_docstatus_check check (docstatus in (0, 1, 2)),
  program text,
  academic_year text,
  academic_term text,
  student_batch text,
  new_program text,
  new_academic_year text,
  new_academic_term text,
  new_student_batch text,
  enrollment_date date,
  submit_enrollments smallint not null default 0,
  status text,
  done integer not null default 0,
  total integer not null default 0,
  error_log text,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint student_promotions_pkey primary key (tenant_id, id),
  constraint student_promotions_name_key unique (tenant_id, name)
);
create unique index student_promotions_any_case_key on student_promotions (tenant_id, name collate any_case);
create index student_promotions_created_at_idx on student_promotions (tenant_id, created_at, id);
create index student_promotions_updated_at_idx on student_promotions (tenant_id, updated_at, id);
create table student_promotions_students (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  student text,
  student_name text,
  program_enrollment text,
  decision text,
  outcome text,
  message text,
  new_enrollment text,
  new_modified text,
  ended_history text,
  began_history smallint not null default 0,
  former_joining_date date,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint student_promotions_students_pkey primary key (tenant_id, id),
  constraint student_promotions_students_parent_fkey foreign key (tenant_id, parent_id) references student_promotions (tenant_id, id) on delete cascade
);
create index student_promotions_students_parent_idx on student_promotions_students (tenant_id, parent_id, idx);
create unique index student_promotions_students_name_key on student_promotions_students (tenant_id, name);
create index student_promotions_students_student_idx on student_promotions_students (tenant_id, student) where student is not null;
alter table student_promotions add constraint student_promotions_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_student_batch_fkey foreign key (tenant_id, student_batch)
  references student_batch_names (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_new_program_fkey foreign key (tenant_id, new_program)
  references programs (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_new_academic_year_fkey foreign key (tenant_id, new_academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_new_academic_term_fkey foreign key (tenant_id, new_academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table student_promotions add constraint student_promotions_new_student_batch_fkey foreign key (tenant_id, new_student_batch)
  references student_batch_names (tenant_id, name) deferrable;
alter table student_promotions_students add constraint student_promotions_students_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
