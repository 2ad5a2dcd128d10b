-- The timetable is looked at by day, and attendance by group and day.
create index course_schedules_schedule_date_idx on course_schedules (tenant_id, schedule_date);
create index assessment_plans_schedule_date_idx on assessment_plans (tenant_id, schedule_date);
create index student_attendances_group_date_idx on student_attendances (tenant_id, student_group, date);

-- The tools of the staff keep what was filled in last. Their links are no foreign keys: a tool holds nothing back.
create table course_scheduling_tools (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint course_scheduling_tools_docstatus_check check (docstatus in (0, 1, 2)),
  student_group text,
  course text,
  program text,
  academic_year text,
  academic_term text,
  instructor text,
  instructor_name text,
  room text,
  class_schedule_color text,
  from_time time,
  to_time time,
  course_start_date date,
  course_end_date date,
  reschedule smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint course_scheduling_tools_pkey primary key (tenant_id, id),
  constraint course_scheduling_tools_name_key unique (tenant_id, name)
);

create table program_enrollment_tools (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint program_enrollment_tools_docstatus_check check (docstatus in (0, 1, 2)),
  get_students_from text,
  program text,
  student_batch text,
  academic_year text,
  academic_term text,
  enrollment_date date,
  new_program text,
  new_student_batch text,
  new_academic_year text,
  new_academic_term text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint program_enrollment_tools_pkey primary key (tenant_id, id),
  constraint program_enrollment_tools_name_key unique (tenant_id, name)
);

create table program_enrollment_tools_students (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  student_applicant text,
  student text,
  student_name text,
  student_batch_name text,
  student_category text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint program_enrollment_tools_students_pkey primary key (tenant_id, id),
  constraint program_enrollment_tools_students_parent_fkey foreign key (tenant_id, parent_id)
    references program_enrollment_tools (tenant_id, id) on delete cascade
);
create index program_enrollment_tools_students_parent_idx on program_enrollment_tools_students (tenant_id, parent_id, idx);
create unique index program_enrollment_tools_students_name_key on program_enrollment_tools_students (tenant_id, name);

create table student_group_creation_tools (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_group_creation_tools_docstatus_check check (docstatus in (0, 1, 2)),
  academic_year text,
  academic_term text,
  program text,
  separate_groups smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_group_creation_tools_pkey primary key (tenant_id, id),
  constraint student_group_creation_tools_name_key unique (tenant_id, name)
);

create table student_group_creation_tools_courses (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  group_based_on text,
  course text,
  batch text,
  student_group_name text,
  course_code text,
  max_strength integer not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_group_creation_tools_courses_pkey primary key (tenant_id, id),
  constraint student_group_creation_tools_courses_parent_fkey foreign key (tenant_id, parent_id)
    references student_group_creation_tools (tenant_id, id) on delete cascade
);
create index student_group_creation_tools_courses_parent_idx on student_group_creation_tools_courses (tenant_id, parent_id, idx);
create unique index student_group_creation_tools_courses_name_key on student_group_creation_tools_courses (tenant_id, name);
