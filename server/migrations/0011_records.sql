-- The records of the Resource and Method API that no other surface shares. One column per declared field, under the field's
-- name; a link is a foreign key on the name of what it names, deferrable so that records can be renamed.

create table students_siblings (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  studying_in_same_institute text,
  full_name text,
  gender text,
  student text,
  institution text,
  program text,
  date_of_birth date,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint students_siblings_pkey primary key (tenant_id, id),
  constraint students_siblings_parent_fkey foreign key (tenant_id, parent_id) references students (tenant_id, id) on delete cascade
);
create index students_siblings_parent_idx on students_siblings (tenant_id, parent_id, idx);
create unique index students_siblings_name_key on students_siblings (tenant_id, name);

create table guardians_interests (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  interest text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint guardians_interests_pkey primary key (tenant_id, id),
  constraint guardians_interests_parent_fkey foreign key (tenant_id, parent_id) references contacts (tenant_id, id) on delete cascade
);
create index guardians_interests_parent_idx on guardians_interests (tenant_id, parent_id, idx);
create unique index guardians_interests_name_key on guardians_interests (tenant_id, name);

create table student_categories (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_categories_docstatus_check check (docstatus in (0, 1, 2)),
  category text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_categories_pkey primary key (tenant_id, id),
  constraint student_categories_name_key unique (tenant_id, name)
);
create index student_categories_created_at_idx on student_categories (tenant_id, created_at);
create index student_categories_updated_at_idx on student_categories (tenant_id, updated_at);

create table student_languages (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_languages_docstatus_check check (docstatus in (0, 1, 2)),
  language_name text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_languages_pkey primary key (tenant_id, id),
  constraint student_languages_name_key unique (tenant_id, name)
);
create index student_languages_created_at_idx on student_languages (tenant_id, created_at);
create index student_languages_updated_at_idx on student_languages (tenant_id, updated_at);

create table student_batch_names (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_batch_names_docstatus_check check (docstatus in (0, 1, 2)),
  batch_name text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_batch_names_pkey primary key (tenant_id, id),
  constraint student_batch_names_name_key unique (tenant_id, name)
);
create index student_batch_names_created_at_idx on student_batch_names (tenant_id, created_at);
create index student_batch_names_updated_at_idx on student_batch_names (tenant_id, updated_at);

create table school_houses (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint school_houses_docstatus_check check (docstatus in (0, 1, 2)),
  house_name text,
  description text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint school_houses_pkey primary key (tenant_id, id),
  constraint school_houses_name_key unique (tenant_id, name)
);
create index school_houses_created_at_idx on school_houses (tenant_id, created_at);
create index school_houses_updated_at_idx on school_houses (tenant_id, updated_at);

create table student_logs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_logs_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  type text,
  date date,
  academic_year text,
  academic_term text,
  program text,
  student_batch text,
  log text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_logs_pkey primary key (tenant_id, id),
  constraint student_logs_name_key unique (tenant_id, name)
);
create index student_logs_created_at_idx on student_logs (tenant_id, created_at);
create index student_logs_updated_at_idx on student_logs (tenant_id, updated_at);

create table student_admissions (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_admissions_docstatus_check check (docstatus in (0, 1, 2)),
  title text,
  route text,
  published smallint not null default 0,
  enable_admission_application smallint not null default 0,
  academic_year text,
  admission_start_date date,
  admission_end_date date,
  introduction text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_admissions_pkey primary key (tenant_id, id),
  constraint student_admissions_name_key unique (tenant_id, name)
);
create index student_admissions_created_at_idx on student_admissions (tenant_id, created_at);
create index student_admissions_updated_at_idx on student_admissions (tenant_id, updated_at);
create unique index student_admissions_route_key on student_admissions (tenant_id, route) where route <> '';

create table student_admissions_program_details (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  program text,
  min_age integer not null default 0,
  max_age integer not null default 0,
  description text,
  application_fee numeric not null default 0,
  applicant_naming_series text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_admissions_program_details_pkey primary key (tenant_id, id),
  constraint student_admissions_program_details_parent_fkey foreign key (tenant_id, parent_id) references student_admissions (tenant_id, id) on delete cascade
);
create index student_admissions_program_details_parent_idx on student_admissions_program_details (tenant_id, parent_id, idx);
create unique index student_admissions_program_details_name_key on student_admissions_program_details (tenant_id, name);

create table student_applicants_siblings (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  studying_in_same_institute text,
  full_name text,
  gender text,
  student text,
  institution text,
  program text,
  date_of_birth date,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_applicants_siblings_pkey primary key (tenant_id, id),
  constraint student_applicants_siblings_parent_fkey foreign key (tenant_id, parent_id) references admission_applications (tenant_id, id) on delete cascade
);
create index student_applicants_siblings_parent_idx on student_applicants_siblings (tenant_id, parent_id, idx);
create unique index student_applicants_siblings_name_key on student_applicants_siblings (tenant_id, name);

create table courses_topics (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  topic text,
  topic_name text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint courses_topics_pkey primary key (tenant_id, id),
  constraint courses_topics_parent_fkey foreign key (tenant_id, parent_id) references courses (tenant_id, id) on delete cascade
);
create index courses_topics_parent_idx on courses_topics (tenant_id, parent_id, idx);
create unique index courses_topics_name_key on courses_topics (tenant_id, name);

create table courses_assessment_criteria (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  assessment_criteria text,
  weightage numeric not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint courses_assessment_criteria_pkey primary key (tenant_id, id),
  constraint courses_assessment_criteria_parent_fkey foreign key (tenant_id, parent_id) references courses (tenant_id, id) on delete cascade
);
create index courses_assessment_criteria_parent_idx on courses_assessment_criteria (tenant_id, parent_id, idx);
create unique index courses_assessment_criteria_name_key on courses_assessment_criteria (tenant_id, name);

create table topics (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint topics_docstatus_check check (docstatus in (0, 1, 2)),
  topic_name text,
  description text,
  hero_image text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint topics_pkey primary key (tenant_id, id),
  constraint topics_name_key unique (tenant_id, name)
);
create index topics_created_at_idx on topics (tenant_id, created_at);
create index topics_updated_at_idx on topics (tenant_id, updated_at);

create table topics_topic_content (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  content_type text,
  content text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint topics_topic_content_pkey primary key (tenant_id, id),
  constraint topics_topic_content_parent_fkey foreign key (tenant_id, parent_id) references topics (tenant_id, id) on delete cascade
);
create index topics_topic_content_parent_idx on topics_topic_content (tenant_id, parent_id, idx);
create unique index topics_topic_content_name_key on topics_topic_content (tenant_id, name);

create table articles (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint articles_docstatus_check check (docstatus in (0, 1, 2)),
  title text,
  author text,
  content text,
  publish_date date,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint articles_pkey primary key (tenant_id, id),
  constraint articles_name_key unique (tenant_id, name)
);
create index articles_created_at_idx on articles (tenant_id, created_at);
create index articles_updated_at_idx on articles (tenant_id, updated_at);

create table academic_years (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint academic_years_docstatus_check check (docstatus in (0, 1, 2)),
  academic_year_name text,
  year_start_date date,
  year_end_date date,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint academic_years_pkey primary key (tenant_id, id),
  constraint academic_years_name_key unique (tenant_id, name)
);
create index academic_years_created_at_idx on academic_years (tenant_id, created_at);
create index academic_years_updated_at_idx on academic_years (tenant_id, updated_at);

create table academic_terms (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint academic_terms_docstatus_check check (docstatus in (0, 1, 2)),
  academic_year text,
  term_name text,
  term_start_date date,
  term_end_date date,
  title text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint academic_terms_pkey primary key (tenant_id, id),
  constraint academic_terms_name_key unique (tenant_id, name)
);
create index academic_terms_created_at_idx on academic_terms (tenant_id, created_at);
create index academic_terms_updated_at_idx on academic_terms (tenant_id, updated_at);
create unique index academic_terms_title_key on academic_terms (tenant_id, title) where title <> '';

create table program_enrollments (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint program_enrollments_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  enrollment_date date,
  program text,
  academic_year text,
  academic_term text,
  image text,
  student_category text,
  student_batch_name text,
  school_house text,
  boarding_student smallint not null default 0,
  amended_from text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint program_enrollments_pkey primary key (tenant_id, id),
  constraint program_enrollments_name_key unique (tenant_id, name)
);
create index program_enrollments_created_at_idx on program_enrollments (tenant_id, created_at);
create index program_enrollments_updated_at_idx on program_enrollments (tenant_id, updated_at);

create table program_enrollments_courses (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  course text,
  course_name text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint program_enrollments_courses_pkey primary key (tenant_id, id),
  constraint program_enrollments_courses_parent_fkey foreign key (tenant_id, parent_id) references program_enrollments (tenant_id, id) on delete cascade
);
create index program_enrollments_courses_parent_idx on program_enrollments_courses (tenant_id, parent_id, idx);
create unique index program_enrollments_courses_name_key on program_enrollments_courses (tenant_id, name);

create table program_enrollments_fees (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  academic_term text,
  fee_structure text,
  fee_schedule text,
  student_category text,
  due_date date,
  amount numeric not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint program_enrollments_fees_pkey primary key (tenant_id, id),
  constraint program_enrollments_fees_parent_fkey foreign key (tenant_id, parent_id) references program_enrollments (tenant_id, id) on delete cascade
);
create index program_enrollments_fees_parent_idx on program_enrollments_fees (tenant_id, parent_id, idx);
create unique index program_enrollments_fees_name_key on program_enrollments_fees (tenant_id, name);

create table course_enrollments (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint course_enrollments_docstatus_check check (docstatus in (0, 1, 2)),
  program_enrollment text,
  program text,
  enrollment_date date,
  course text,
  student text,
  student_name text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint course_enrollments_pkey primary key (tenant_id, id),
  constraint course_enrollments_name_key unique (tenant_id, name)
);
create index course_enrollments_created_at_idx on course_enrollments (tenant_id, created_at);
create index course_enrollments_updated_at_idx on course_enrollments (tenant_id, updated_at);

create table course_activities (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint course_activities_docstatus_check check (docstatus in (0, 1, 2)),
  enrollment text,
  course text,
  student text,
  content_type text,
  content text,
  activity_date timestamp,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint course_activities_pkey primary key (tenant_id, id),
  constraint course_activities_name_key unique (tenant_id, name)
);
create index course_activities_created_at_idx on course_activities (tenant_id, created_at);
create index course_activities_updated_at_idx on course_activities (tenant_id, updated_at);

create table student_groups (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_groups_docstatus_check check (docstatus in (0, 1, 2)),
  academic_year text,
  group_based_on text,
  student_group_name text,
  max_strength integer not null default 0,
  academic_term text,
  program text,
  batch text,
  student_category text,
  course text,
  disabled smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_groups_pkey primary key (tenant_id, id),
  constraint student_groups_name_key unique (tenant_id, name)
);
create index student_groups_created_at_idx on student_groups (tenant_id, created_at);
create index student_groups_updated_at_idx on student_groups (tenant_id, updated_at);

create table student_groups_students (
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
  group_roll_number integer not null default 0,
  active smallint not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_groups_students_pkey primary key (tenant_id, id),
  constraint student_groups_students_parent_fkey foreign key (tenant_id, parent_id) references student_groups (tenant_id, id) on delete cascade
);
create index student_groups_students_parent_idx on student_groups_students (tenant_id, parent_id, idx);
create unique index student_groups_students_name_key on student_groups_students (tenant_id, name);

create table student_groups_instructors (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  instructor text,
  instructor_name text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_groups_instructors_pkey primary key (tenant_id, id),
  constraint student_groups_instructors_parent_fkey foreign key (tenant_id, parent_id) references student_groups (tenant_id, id) on delete cascade
);
create index student_groups_instructors_parent_idx on student_groups_instructors (tenant_id, parent_id, idx);
create unique index student_groups_instructors_name_key on student_groups_instructors (tenant_id, name);

create table instructors (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint instructors_docstatus_check check (docstatus in (0, 1, 2)),
  instructor_name text,
  employee text,
  gender text,
  status text,
  naming_series text,
  department text,
  image text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint instructors_pkey primary key (tenant_id, id),
  constraint instructors_name_key unique (tenant_id, name)
);
create index instructors_created_at_idx on instructors (tenant_id, created_at);
create index instructors_updated_at_idx on instructors (tenant_id, updated_at);

create table instructors_instructor_log (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  academic_year text,
  academic_term text,
  department text,
  program text,
  course text,
  student_group text,
  other_details text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint instructors_instructor_log_pkey primary key (tenant_id, id),
  constraint instructors_instructor_log_parent_fkey foreign key (tenant_id, parent_id) references instructors (tenant_id, id) on delete cascade
);
create index instructors_instructor_log_parent_idx on instructors_instructor_log (tenant_id, parent_id, idx);
create unique index instructors_instructor_log_name_key on instructors_instructor_log (tenant_id, name);

create table rooms (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint rooms_docstatus_check check (docstatus in (0, 1, 2)),
  room_name text,
  room_number text,
  seating_capacity text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint rooms_pkey primary key (tenant_id, id),
  constraint rooms_name_key unique (tenant_id, name)
);
create index rooms_created_at_idx on rooms (tenant_id, created_at);
create index rooms_updated_at_idx on rooms (tenant_id, updated_at);

create table course_schedules (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint course_schedules_docstatus_check check (docstatus in (0, 1, 2)),
  student_group text,
  instructor text,
  instructor_name text,
  naming_series text,
  program text,
  course text,
  color text,
  class_schedule_color text,
  schedule_date date,
  room text,
  from_time time,
  to_time time,
  title text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint course_schedules_pkey primary key (tenant_id, id),
  constraint course_schedules_name_key unique (tenant_id, name)
);
create index course_schedules_created_at_idx on course_schedules (tenant_id, created_at);
create index course_schedules_updated_at_idx on course_schedules (tenant_id, updated_at);

create table student_attendances (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_attendances_docstatus_check check (docstatus in (0, 1, 2)),
  naming_series text,
  student text,
  student_name text,
  student_mobile_number text,
  course_schedule text,
  student_group text,
  date date,
  status text,
  leave_application text,
  amended_from text,
  link_nvfk text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_attendances_pkey primary key (tenant_id, id),
  constraint student_attendances_name_key unique (tenant_id, name)
);
create index student_attendances_created_at_idx on student_attendances (tenant_id, created_at);
create index student_attendances_updated_at_idx on student_attendances (tenant_id, updated_at);

create table student_leave_applications (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_leave_applications_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  from_date date,
  to_date date,
  total_leave_days numeric not null default 0,
  attendance_based_on text,
  student_group text,
  course_schedule text,
  mark_as_present smallint not null default 0,
  reason text,
  amended_from text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_leave_applications_pkey primary key (tenant_id, id),
  constraint student_leave_applications_name_key unique (tenant_id, name)
);
create index student_leave_applications_created_at_idx on student_leave_applications (tenant_id, created_at);
create index student_leave_applications_updated_at_idx on student_leave_applications (tenant_id, updated_at);

create table fee_categories (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint fee_categories_docstatus_check check (docstatus in (0, 1, 2)),
  category_name text,
  description text,
  item text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_categories_pkey primary key (tenant_id, id),
  constraint fee_categories_name_key unique (tenant_id, name)
);
create index fee_categories_created_at_idx on fee_categories (tenant_id, created_at);
create index fee_categories_updated_at_idx on fee_categories (tenant_id, updated_at);

create table fee_categories_item_defaults (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  company text,
  income_account text,
  selling_cost_center text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_categories_item_defaults_pkey primary key (tenant_id, id),
  constraint fee_categories_item_defaults_parent_fkey foreign key (tenant_id, parent_id) references fee_categories (tenant_id, id) on delete cascade
);
create index fee_categories_item_defaults_parent_idx on fee_categories_item_defaults (tenant_id, parent_id, idx);
create unique index fee_categories_item_defaults_name_key on fee_categories_item_defaults (tenant_id, name);

create table fee_structures (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint fee_structures_docstatus_check check (docstatus in (0, 1, 2)),
  naming_series text,
  program text,
  student_category text,
  academic_year text,
  academic_term text,
  total_amount numeric not null default 0,
  receivable_account text,
  company text,
  amended_from text,
  income_account text,
  cost_center text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_structures_pkey primary key (tenant_id, id),
  constraint fee_structures_name_key unique (tenant_id, name)
);
create index fee_structures_created_at_idx on fee_structures (tenant_id, created_at);
create index fee_structures_updated_at_idx on fee_structures (tenant_id, updated_at);

create table fee_structures_components (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  fees_category text,
  description text,
  amount numeric not null default 0,
  item text,
  discount numeric not null default 0,
  total numeric not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_structures_components_pkey primary key (tenant_id, id),
  constraint fee_structures_components_parent_fkey foreign key (tenant_id, parent_id) references fee_structures (tenant_id, id) on delete cascade
);
create index fee_structures_components_parent_idx on fee_structures_components (tenant_id, parent_id, idx);
create unique index fee_structures_components_name_key on fee_structures_components (tenant_id, name);

create table fee_schedules (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint fee_schedules_docstatus_check check (docstatus in (0, 1, 2)),
  fee_structure text,
  posting_date date,
  due_date date,
  naming_series text,
  send_email smallint not null default 0,
  student_category text,
  program text,
  academic_year text,
  academic_term text,
  currency text,
  total_amount numeric not null default 0,
  grand_total numeric not null default 0,
  grand_total_in_words text,
  letter_head text,
  select_print_heading text,
  receivable_account text,
  company text,
  amended_from text,
  income_account text,
  cost_center text,
  fee_creation_status text,
  error_log text,
  status text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_schedules_pkey primary key (tenant_id, id),
  constraint fee_schedules_name_key unique (tenant_id, name)
);
create index fee_schedules_created_at_idx on fee_schedules (tenant_id, created_at);
create index fee_schedules_updated_at_idx on fee_schedules (tenant_id, updated_at);

create table fee_schedules_student_groups (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  student_group text,
  total_students text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_schedules_student_groups_pkey primary key (tenant_id, id),
  constraint fee_schedules_student_groups_parent_fkey foreign key (tenant_id, parent_id) references fee_schedules (tenant_id, id) on delete cascade
);
create index fee_schedules_student_groups_parent_idx on fee_schedules_student_groups (tenant_id, parent_id, idx);
create unique index fee_schedules_student_groups_name_key on fee_schedules_student_groups (tenant_id, name);

create table fee_schedules_components (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  fees_category text,
  description text,
  amount numeric not null default 0,
  item text,
  discount numeric not null default 0,
  total numeric not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fee_schedules_components_pkey primary key (tenant_id, id),
  constraint fee_schedules_components_parent_fkey foreign key (tenant_id, parent_id) references fee_schedules (tenant_id, id) on delete cascade
);
create index fee_schedules_components_parent_idx on fee_schedules_components (tenant_id, parent_id, idx);
create unique index fee_schedules_components_name_key on fee_schedules_components (tenant_id, name);

create table fees (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint fees_docstatus_check check (docstatus in (0, 1, 2)),
  naming_series text,
  student text,
  student_name text,
  include_payment smallint not null default 0,
  send_payment_request smallint not null default 0,
  company text,
  posting_date date,
  posting_time time,
  due_date date,
  set_posting_time smallint not null default 0,
  program_enrollment text,
  program text,
  academic_year text,
  academic_term text,
  fee_structure text,
  fee_schedule text,
  currency text,
  amended_from text,
  grand_total numeric not null default 0,
  grand_total_in_words text,
  outstanding_amount numeric not null default 0,
  contact_email text,
  student_category text,
  student_batch text,
  receivable_account text,
  income_account text,
  cost_center text,
  letter_head text,
  select_print_heading text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fees_pkey primary key (tenant_id, id),
  constraint fees_name_key unique (tenant_id, name)
);
create index fees_created_at_idx on fees (tenant_id, created_at);
create index fees_updated_at_idx on fees (tenant_id, updated_at);

create table fees_components (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  fees_category text,
  description text,
  amount numeric not null default 0,
  item text,
  discount numeric not null default 0,
  total numeric not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint fees_components_pkey primary key (tenant_id, id),
  constraint fees_components_parent_fkey foreign key (tenant_id, parent_id) references fees (tenant_id, id) on delete cascade
);
create index fees_components_parent_idx on fees_components (tenant_id, parent_id, idx);
create unique index fees_components_name_key on fees_components (tenant_id, name);

create table payment_records (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint payment_records_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  mobile text,
  email text,
  status text,
  against_invoice text,
  order_id text,
  payment_id text,
  signature text,
  failure_description text,
  amount numeric not null default 0,
  currency text,
  address_line_1 text,
  address_line_2 text,
  pincode text,
  city text,
  state text,
  country text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint payment_records_pkey primary key (tenant_id, id),
  constraint payment_records_name_key unique (tenant_id, name)
);
create index payment_records_created_at_idx on payment_records (tenant_id, created_at);
create index payment_records_updated_at_idx on payment_records (tenant_id, updated_at);

create table grading_scales (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint grading_scales_docstatus_check check (docstatus in (0, 1, 2)),
  grading_scale_name text,
  amended_from text,
  description text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint grading_scales_pkey primary key (tenant_id, id),
  constraint grading_scales_name_key unique (tenant_id, name)
);
create index grading_scales_created_at_idx on grading_scales (tenant_id, created_at);
create index grading_scales_updated_at_idx on grading_scales (tenant_id, updated_at);

create table grading_scales_intervals (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  grade_code text,
  threshold numeric not null default 0,
  grade_description text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint grading_scales_intervals_pkey primary key (tenant_id, id),
  constraint grading_scales_intervals_parent_fkey foreign key (tenant_id, parent_id) references grading_scales (tenant_id, id) on delete cascade
);
create index grading_scales_intervals_parent_idx on grading_scales_intervals (tenant_id, parent_id, idx);
create unique index grading_scales_intervals_name_key on grading_scales_intervals (tenant_id, name);

create table assessment_groups (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint assessment_groups_docstatus_check check (docstatus in (0, 1, 2)),
  assessment_group_name text,
  parent_assessment_group text,
  is_group smallint not null default 0,
  lft integer not null default 0,
  rgt integer not null default 0,
  old_parent text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_groups_pkey primary key (tenant_id, id),
  constraint assessment_groups_name_key unique (tenant_id, name)
);
create index assessment_groups_created_at_idx on assessment_groups (tenant_id, created_at);
create index assessment_groups_updated_at_idx on assessment_groups (tenant_id, updated_at);

create table assessment_criteria_groups (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint assessment_criteria_groups_docstatus_check check (docstatus in (0, 1, 2)),
  assessment_criteria_group text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_criteria_groups_pkey primary key (tenant_id, id),
  constraint assessment_criteria_groups_name_key unique (tenant_id, name)
);
create index assessment_criteria_groups_created_at_idx on assessment_criteria_groups (tenant_id, created_at);
create index assessment_criteria_groups_updated_at_idx on assessment_criteria_groups (tenant_id, updated_at);

create table assessment_criteria (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint assessment_criteria_docstatus_check check (docstatus in (0, 1, 2)),
  assessment_criteria text,
  assessment_criteria_group text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_criteria_pkey primary key (tenant_id, id),
  constraint assessment_criteria_name_key unique (tenant_id, name)
);
create index assessment_criteria_created_at_idx on assessment_criteria (tenant_id, created_at);
create index assessment_criteria_updated_at_idx on assessment_criteria (tenant_id, updated_at);

create table assessment_plans (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint assessment_plans_docstatus_check check (docstatus in (0, 1, 2)),
  student_group text,
  assessment_name text,
  assessment_group text,
  grading_scale text,
  program text,
  course text,
  academic_year text,
  academic_term text,
  schedule_date date,
  room text,
  examiner text,
  examiner_name text,
  from_time time,
  to_time time,
  supervisor text,
  supervisor_name text,
  maximum_assessment_score numeric not null default 0,
  amended_from text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_plans_pkey primary key (tenant_id, id),
  constraint assessment_plans_name_key unique (tenant_id, name)
);
create index assessment_plans_created_at_idx on assessment_plans (tenant_id, created_at);
create index assessment_plans_updated_at_idx on assessment_plans (tenant_id, updated_at);

create table assessment_plans_assessment_criteria (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  assessment_criteria text,
  maximum_score numeric not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_plans_assessment_criteria_pkey primary key (tenant_id, id),
  constraint assessment_plans_assessment_criteria_parent_fkey foreign key (tenant_id, parent_id) references assessment_plans (tenant_id, id) on delete cascade
);
create index assessment_plans_assessment_criteria_parent_idx on assessment_plans_assessment_criteria (tenant_id, parent_id, idx);
create unique index assessment_plans_assessment_criteria_name_key on assessment_plans_assessment_criteria (tenant_id, name);

create table assessment_results (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint assessment_results_docstatus_check check (docstatus in (0, 1, 2)),
  assessment_plan text,
  program text,
  course text,
  academic_year text,
  academic_term text,
  student text,
  student_name text,
  student_group text,
  assessment_group text,
  grading_scale text,
  maximum_score numeric not null default 0,
  total_score numeric not null default 0,
  grade text,
  comment text,
  amended_from text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_results_pkey primary key (tenant_id, id),
  constraint assessment_results_name_key unique (tenant_id, name)
);
create index assessment_results_created_at_idx on assessment_results (tenant_id, created_at);
create index assessment_results_updated_at_idx on assessment_results (tenant_id, updated_at);

create table assessment_results_details (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  assessment_criteria text,
  maximum_score numeric not null default 0,
  score numeric not null default 0,
  grade text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_results_details_pkey primary key (tenant_id, id),
  constraint assessment_results_details_parent_fkey foreign key (tenant_id, parent_id) references assessment_results (tenant_id, id) on delete cascade
);
create index assessment_results_details_parent_idx on assessment_results_details (tenant_id, parent_id, idx);
create unique index assessment_results_details_name_key on assessment_results_details (tenant_id, name);

create table education_settings (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint education_settings_docstatus_check check (docstatus in (0, 1, 2)),
  current_academic_year text,
  current_academic_term text,
  attendance_freeze_date date,
  validate_batch smallint not null default 0,
  validate_course smallint not null default 0,
  academic_term_reqd smallint not null default 0,
  user_creation_skip smallint not null default 0,
  create_so smallint not null default 0,
  auto_submit_sales_invoice smallint not null default 0,
  sales_invoice_posting_date_fee_schedule smallint not null default 0,
  auto_submit_sales_order smallint not null default 0,
  sales_order_transaction_date_fee_schedule smallint not null default 0,
  instructor_created_by text,
  attendance_based_on_course_schedule smallint not null default 0,
  razorpay_key text,
  razorpay_secret text,
  school_college_name_abbreviation text,
  school_college_logo text,
  validate_attendance_year smallint not null default 0,
  strict_links smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint education_settings_pkey primary key (tenant_id, id),
  constraint education_settings_name_key unique (tenant_id, name)
);

create table companies (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint companies_docstatus_check check (docstatus in (0, 1, 2)),
  company_name text,
  abbr text,
  default_currency text,
  country text,
  default_holiday_list text,
  default_receivable_account text,
  default_income_account text,
  default_cash_account text,
  default_bank_account text,
  cost_center text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint companies_pkey primary key (tenant_id, id),
  constraint companies_name_key unique (tenant_id, name)
);
create index companies_created_at_idx on companies (tenant_id, created_at);
create index companies_updated_at_idx on companies (tenant_id, updated_at);

create table accounts (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint accounts_docstatus_check check (docstatus in (0, 1, 2)),
  account_name text,
  account_number text,
  company text,
  parent_account text,
  is_group smallint not null default 0,
  disabled smallint not null default 0,
  root_type text,
  report_type text,
  account_type text,
  account_currency text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint accounts_pkey primary key (tenant_id, id),
  constraint accounts_name_key unique (tenant_id, name)
);
create index accounts_created_at_idx on accounts (tenant_id, created_at);
create index accounts_updated_at_idx on accounts (tenant_id, updated_at);

create table cost_centers (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint cost_centers_docstatus_check check (docstatus in (0, 1, 2)),
  cost_center_name text,
  company text,
  parent_cost_center text,
  is_group smallint not null default 0,
  disabled smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint cost_centers_pkey primary key (tenant_id, id),
  constraint cost_centers_name_key unique (tenant_id, name)
);
create index cost_centers_created_at_idx on cost_centers (tenant_id, created_at);
create index cost_centers_updated_at_idx on cost_centers (tenant_id, updated_at);

create table gl_entries (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint gl_entries_docstatus_check check (docstatus in (0, 1, 2)),
  posting_date date,
  account text,
  party_type text,
  party text,
  cost_center text,
  debit numeric not null default 0,
  credit numeric not null default 0,
  account_currency text,
  against text,
  against_voucher_type text,
  against_voucher text,
  voucher_type text,
  voucher_no text,
  remarks text,
  fiscal_year text,
  company text,
  is_cancelled smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint gl_entries_pkey primary key (tenant_id, id),
  constraint gl_entries_name_key unique (tenant_id, name)
);
create index gl_entries_created_at_idx on gl_entries (tenant_id, created_at);
create index gl_entries_updated_at_idx on gl_entries (tenant_id, updated_at);

create table currencies (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint currencies_docstatus_check check (docstatus in (0, 1, 2)),
  currency_name text,
  enabled smallint not null default 0,
  fraction text,
  fraction_units integer not null default 0,
  symbol text,
  number_format text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint currencies_pkey primary key (tenant_id, id),
  constraint currencies_name_key unique (tenant_id, name)
);
create index currencies_created_at_idx on currencies (tenant_id, created_at);
create index currencies_updated_at_idx on currencies (tenant_id, updated_at);

create table countries (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint countries_docstatus_check check (docstatus in (0, 1, 2)),
  country_name text,
  code text,
  date_format text,
  time_format text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint countries_pkey primary key (tenant_id, id),
  constraint countries_name_key unique (tenant_id, name)
);
create index countries_created_at_idx on countries (tenant_id, created_at);
create index countries_updated_at_idx on countries (tenant_id, updated_at);

create table languages (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint languages_docstatus_check check (docstatus in (0, 1, 2)),
  language_code text,
  language_name text,
  enabled smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint languages_pkey primary key (tenant_id, id),
  constraint languages_name_key unique (tenant_id, name)
);
create index languages_created_at_idx on languages (tenant_id, created_at);
create index languages_updated_at_idx on languages (tenant_id, updated_at);

create table genders (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint genders_docstatus_check check (docstatus in (0, 1, 2)),
  gender text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint genders_pkey primary key (tenant_id, id),
  constraint genders_name_key unique (tenant_id, name)
);
create index genders_created_at_idx on genders (tenant_id, created_at);
create index genders_updated_at_idx on genders (tenant_id, updated_at);

create table departments (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint departments_docstatus_check check (docstatus in (0, 1, 2)),
  department_name text,
  parent_department text,
  company text,
  is_group smallint not null default 0,
  disabled smallint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint departments_pkey primary key (tenant_id, id),
  constraint departments_name_key unique (tenant_id, name)
);
create index departments_created_at_idx on departments (tenant_id, created_at);
create index departments_updated_at_idx on departments (tenant_id, updated_at);

create table designations (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint designations_docstatus_check check (docstatus in (0, 1, 2)),
  designation_name text,
  description text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint designations_pkey primary key (tenant_id, id),
  constraint designations_name_key unique (tenant_id, name)
);
create index designations_created_at_idx on designations (tenant_id, created_at);
create index designations_updated_at_idx on designations (tenant_id, updated_at);

create table employees (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint employees_docstatus_check check (docstatus in (0, 1, 2)),
  first_name text,
  middle_name text,
  last_name text,
  employee_name text,
  gender text,
  date_of_birth date,
  date_of_joining date,
  status text,
  user_id text,
  company text,
  department text,
  designation text,
  company_email text,
  cell_number text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint employees_pkey primary key (tenant_id, id),
  constraint employees_name_key unique (tenant_id, name)
);
create index employees_created_at_idx on employees (tenant_id, created_at);
create index employees_updated_at_idx on employees (tenant_id, updated_at);

create table holiday_lists (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint holiday_lists_docstatus_check check (docstatus in (0, 1, 2)),
  holiday_list_name text,
  from_date date,
  to_date date,
  total_holidays integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint holiday_lists_pkey primary key (tenant_id, id),
  constraint holiday_lists_name_key unique (tenant_id, name)
);
create index holiday_lists_created_at_idx on holiday_lists (tenant_id, created_at);
create index holiday_lists_updated_at_idx on holiday_lists (tenant_id, updated_at);

create table holiday_lists_holidays (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  holiday_date date,
  description text,
  weekly_off smallint not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint holiday_lists_holidays_pkey primary key (tenant_id, id),
  constraint holiday_lists_holidays_parent_fkey foreign key (tenant_id, parent_id) references holiday_lists (tenant_id, id) on delete cascade
);
create index holiday_lists_holidays_parent_idx on holiday_lists_holidays (tenant_id, parent_id, idx);
create unique index holiday_lists_holidays_name_key on holiday_lists_holidays (tenant_id, name);

-- What records name.
alter table students_siblings add constraint students_siblings_gender_fkey foreign key (tenant_id, gender)
  references genders (tenant_id, name) deferrable;
alter table students_siblings add constraint students_siblings_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table student_logs add constraint student_logs_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table student_logs add constraint student_logs_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table student_logs add constraint student_logs_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table student_logs add constraint student_logs_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table student_logs add constraint student_logs_student_batch_fkey foreign key (tenant_id, student_batch)
  references student_batch_names (tenant_id, name) deferrable;
alter table student_admissions add constraint student_admissions_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table student_admissions_program_details add constraint student_admissions_program_details_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table student_applicants_siblings add constraint student_applicants_siblings_gender_fkey foreign key (tenant_id, gender)
  references genders (tenant_id, name) deferrable;
alter table student_applicants_siblings add constraint student_applicants_siblings_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table courses_topics add constraint courses_topics_topic_fkey foreign key (tenant_id, topic)
  references topics (tenant_id, name) deferrable;
alter table courses_assessment_criteria add constraint courses_assessment_criteria_assessment_criteria_fkey foreign key (tenant_id, assessment_criteria)
  references assessment_criteria (tenant_id, name) deferrable;
alter table academic_terms add constraint academic_terms_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table program_enrollments add constraint program_enrollments_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_student_category_fkey foreign key (tenant_id, student_category)
  references student_categories (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_student_batch_name_fkey foreign key (tenant_id, student_batch_name)
  references student_batch_names (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_school_house_fkey foreign key (tenant_id, school_house)
  references school_houses (tenant_id, name) deferrable;
alter table program_enrollments add constraint program_enrollments_amended_from_fkey foreign key (tenant_id, amended_from)
  references program_enrollments (tenant_id, name) deferrable;
alter table program_enrollments_courses add constraint program_enrollments_courses_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table program_enrollments_fees add constraint program_enrollments_fees_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table program_enrollments_fees add constraint program_enrollments_fees_fee_structure_fkey foreign key (tenant_id, fee_structure)
  references fee_structures (tenant_id, name) deferrable;
alter table program_enrollments_fees add constraint program_enrollments_fees_fee_schedule_fkey foreign key (tenant_id, fee_schedule)
  references fee_schedules (tenant_id, name) deferrable;
alter table program_enrollments_fees add constraint program_enrollments_fees_student_category_fkey foreign key (tenant_id, student_category)
  references student_categories (tenant_id, name) deferrable;
alter table course_enrollments add constraint course_enrollments_program_enrollment_fkey foreign key (tenant_id, program_enrollment)
  references program_enrollments (tenant_id, name) deferrable;
alter table course_enrollments add constraint course_enrollments_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table course_enrollments add constraint course_enrollments_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table course_activities add constraint course_activities_enrollment_fkey foreign key (tenant_id, enrollment)
  references course_enrollments (tenant_id, name) deferrable;
alter table student_groups add constraint student_groups_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table student_groups add constraint student_groups_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table student_groups add constraint student_groups_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table student_groups add constraint student_groups_batch_fkey foreign key (tenant_id, batch)
  references student_batch_names (tenant_id, name) deferrable;
alter table student_groups add constraint student_groups_student_category_fkey foreign key (tenant_id, student_category)
  references student_categories (tenant_id, name) deferrable;
alter table student_groups add constraint student_groups_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table student_groups_students add constraint student_groups_students_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table student_groups_instructors add constraint student_groups_instructors_instructor_fkey foreign key (tenant_id, instructor)
  references instructors (tenant_id, name) deferrable;
alter table instructors add constraint instructors_employee_fkey foreign key (tenant_id, employee)
  references employees (tenant_id, name) deferrable;
alter table instructors add constraint instructors_gender_fkey foreign key (tenant_id, gender)
  references genders (tenant_id, name) deferrable;
alter table instructors add constraint instructors_department_fkey foreign key (tenant_id, department)
  references departments (tenant_id, name) deferrable;
alter table instructors_instructor_log add constraint instructors_instructor_log_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table instructors_instructor_log add constraint instructors_instructor_log_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table instructors_instructor_log add constraint instructors_instructor_log_department_fkey foreign key (tenant_id, department)
  references departments (tenant_id, name) deferrable;
alter table instructors_instructor_log add constraint instructors_instructor_log_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table instructors_instructor_log add constraint instructors_instructor_log_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table instructors_instructor_log add constraint instructors_instructor_log_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table course_schedules add constraint course_schedules_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table course_schedules add constraint course_schedules_instructor_fkey foreign key (tenant_id, instructor)
  references instructors (tenant_id, name) deferrable;
alter table course_schedules add constraint course_schedules_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table course_schedules add constraint course_schedules_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table course_schedules add constraint course_schedules_room_fkey foreign key (tenant_id, room)
  references rooms (tenant_id, name) deferrable;
alter table student_attendances add constraint student_attendances_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table student_attendances add constraint student_attendances_course_schedule_fkey foreign key (tenant_id, course_schedule)
  references course_schedules (tenant_id, name) deferrable;
alter table student_attendances add constraint student_attendances_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table student_attendances add constraint student_attendances_leave_application_fkey foreign key (tenant_id, leave_application)
  references student_leave_applications (tenant_id, name) deferrable;
alter table student_attendances add constraint student_attendances_amended_from_fkey foreign key (tenant_id, amended_from)
  references student_attendances (tenant_id, name) deferrable;
alter table student_attendances add constraint student_attendances_link_nvfk_fkey foreign key (tenant_id, link_nvfk)
  references programs (tenant_id, name) deferrable;
alter table student_leave_applications add constraint student_leave_applications_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table student_leave_applications add constraint student_leave_applications_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table student_leave_applications add constraint student_leave_applications_course_schedule_fkey foreign key (tenant_id, course_schedule)
  references course_schedules (tenant_id, name) deferrable;
alter table student_leave_applications add constraint student_leave_applications_amended_from_fkey foreign key (tenant_id, amended_from)
  references student_leave_applications (tenant_id, name) deferrable;
alter table fee_categories_item_defaults add constraint fee_categories_item_defaults_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table fee_categories_item_defaults add constraint fee_categories_item_defaults_income_account_fkey foreign key (tenant_id, income_account)
  references accounts (tenant_id, name) deferrable;
alter table fee_categories_item_defaults add constraint fee_categories_item_defaults_selling_cost_center_fkey foreign key (tenant_id, selling_cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_student_category_fkey foreign key (tenant_id, student_category)
  references student_categories (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_receivable_account_fkey foreign key (tenant_id, receivable_account)
  references accounts (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_amended_from_fkey foreign key (tenant_id, amended_from)
  references fee_structures (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_income_account_fkey foreign key (tenant_id, income_account)
  references accounts (tenant_id, name) deferrable;
alter table fee_structures add constraint fee_structures_cost_center_fkey foreign key (tenant_id, cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table fee_structures_components add constraint fee_structures_components_fees_category_fkey foreign key (tenant_id, fees_category)
  references fee_categories (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_fee_structure_fkey foreign key (tenant_id, fee_structure)
  references fee_structures (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_student_category_fkey foreign key (tenant_id, student_category)
  references student_categories (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_currency_fkey foreign key (tenant_id, currency)
  references currencies (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_receivable_account_fkey foreign key (tenant_id, receivable_account)
  references accounts (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_amended_from_fkey foreign key (tenant_id, amended_from)
  references fee_schedules (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_income_account_fkey foreign key (tenant_id, income_account)
  references accounts (tenant_id, name) deferrable;
alter table fee_schedules add constraint fee_schedules_cost_center_fkey foreign key (tenant_id, cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table fee_schedules_student_groups add constraint fee_schedules_student_groups_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table fee_schedules_components add constraint fee_schedules_components_fees_category_fkey foreign key (tenant_id, fees_category)
  references fee_categories (tenant_id, name) deferrable;
alter table fees add constraint fees_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table fees add constraint fees_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table fees add constraint fees_program_enrollment_fkey foreign key (tenant_id, program_enrollment)
  references program_enrollments (tenant_id, name) deferrable;
alter table fees add constraint fees_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table fees add constraint fees_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table fees add constraint fees_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table fees add constraint fees_fee_structure_fkey foreign key (tenant_id, fee_structure)
  references fee_structures (tenant_id, name) deferrable;
alter table fees add constraint fees_fee_schedule_fkey foreign key (tenant_id, fee_schedule)
  references fee_schedules (tenant_id, name) deferrable;
alter table fees add constraint fees_currency_fkey foreign key (tenant_id, currency)
  references currencies (tenant_id, name) deferrable;
alter table fees add constraint fees_amended_from_fkey foreign key (tenant_id, amended_from)
  references fees (tenant_id, name) deferrable;
alter table fees add constraint fees_student_category_fkey foreign key (tenant_id, student_category)
  references student_categories (tenant_id, name) deferrable;
alter table fees add constraint fees_student_batch_fkey foreign key (tenant_id, student_batch)
  references student_batch_names (tenant_id, name) deferrable;
alter table fees add constraint fees_receivable_account_fkey foreign key (tenant_id, receivable_account)
  references accounts (tenant_id, name) deferrable;
alter table fees add constraint fees_income_account_fkey foreign key (tenant_id, income_account)
  references accounts (tenant_id, name) deferrable;
alter table fees add constraint fees_cost_center_fkey foreign key (tenant_id, cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table fees_components add constraint fees_components_fees_category_fkey foreign key (tenant_id, fees_category)
  references fee_categories (tenant_id, name) deferrable;
alter table payment_records add constraint payment_records_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table grading_scales add constraint grading_scales_amended_from_fkey foreign key (tenant_id, amended_from)
  references grading_scales (tenant_id, name) deferrable;
alter table assessment_groups add constraint assessment_groups_parent_assessment_group_fkey foreign key (tenant_id, parent_assessment_group)
  references assessment_groups (tenant_id, name) deferrable;
alter table assessment_groups add constraint assessment_groups_old_parent_fkey foreign key (tenant_id, old_parent)
  references assessment_groups (tenant_id, name) deferrable;
alter table assessment_criteria add constraint assessment_criteria_assessment_criteria_group_fkey foreign key (tenant_id, assessment_criteria_group)
  references assessment_criteria_groups (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_assessment_group_fkey foreign key (tenant_id, assessment_group)
  references assessment_groups (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_grading_scale_fkey foreign key (tenant_id, grading_scale)
  references grading_scales (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_room_fkey foreign key (tenant_id, room)
  references rooms (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_examiner_fkey foreign key (tenant_id, examiner)
  references instructors (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_supervisor_fkey foreign key (tenant_id, supervisor)
  references instructors (tenant_id, name) deferrable;
alter table assessment_plans add constraint assessment_plans_amended_from_fkey foreign key (tenant_id, amended_from)
  references assessment_plans (tenant_id, name) deferrable;
alter table assessment_plans_assessment_criteria add constraint assessment_plans_assessment_criteria_assessment_criteria_fkey foreign key (tenant_id, assessment_criteria)
  references assessment_criteria (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_assessment_plan_fkey foreign key (tenant_id, assessment_plan)
  references assessment_plans (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_program_fkey foreign key (tenant_id, program)
  references programs (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table assessment_results add constraint assessment_results_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_assessment_group_fkey foreign key (tenant_id, assessment_group)
  references assessment_groups (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_grading_scale_fkey foreign key (tenant_id, grading_scale)
  references grading_scales (tenant_id, name) deferrable;
alter table assessment_results add constraint assessment_results_amended_from_fkey foreign key (tenant_id, amended_from)
  references assessment_results (tenant_id, name) deferrable;
alter table assessment_results_details add constraint assessment_results_details_assessment_criteria_fkey foreign key (tenant_id, assessment_criteria)
  references assessment_criteria (tenant_id, name) deferrable;
alter table education_settings add constraint education_settings_current_academic_year_fkey foreign key (tenant_id, current_academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table education_settings add constraint education_settings_current_academic_term_fkey foreign key (tenant_id, current_academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table companies add constraint companies_default_currency_fkey foreign key (tenant_id, default_currency)
  references currencies (tenant_id, name) deferrable;
alter table companies add constraint companies_country_fkey foreign key (tenant_id, country)
  references countries (tenant_id, name) deferrable;
alter table companies add constraint companies_default_holiday_list_fkey foreign key (tenant_id, default_holiday_list)
  references holiday_lists (tenant_id, name) deferrable;
alter table companies add constraint companies_default_receivable_account_fkey foreign key (tenant_id, default_receivable_account)
  references accounts (tenant_id, name) deferrable;
alter table companies add constraint companies_default_income_account_fkey foreign key (tenant_id, default_income_account)
  references accounts (tenant_id, name) deferrable;
alter table companies add constraint companies_default_cash_account_fkey foreign key (tenant_id, default_cash_account)
  references accounts (tenant_id, name) deferrable;
alter table companies add constraint companies_default_bank_account_fkey foreign key (tenant_id, default_bank_account)
  references accounts (tenant_id, name) deferrable;
alter table companies add constraint companies_cost_center_fkey foreign key (tenant_id, cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table accounts add constraint accounts_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table accounts add constraint accounts_parent_account_fkey foreign key (tenant_id, parent_account)
  references accounts (tenant_id, name) deferrable;
alter table accounts add constraint accounts_account_currency_fkey foreign key (tenant_id, account_currency)
  references currencies (tenant_id, name) deferrable;
alter table cost_centers add constraint cost_centers_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table cost_centers add constraint cost_centers_parent_cost_center_fkey foreign key (tenant_id, parent_cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table gl_entries add constraint gl_entries_account_fkey foreign key (tenant_id, account)
  references accounts (tenant_id, name) deferrable;
alter table gl_entries add constraint gl_entries_cost_center_fkey foreign key (tenant_id, cost_center)
  references cost_centers (tenant_id, name) deferrable;
alter table gl_entries add constraint gl_entries_account_currency_fkey foreign key (tenant_id, account_currency)
  references currencies (tenant_id, name) deferrable;
alter table gl_entries add constraint gl_entries_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table departments add constraint departments_parent_department_fkey foreign key (tenant_id, parent_department)
  references departments (tenant_id, name) deferrable;
alter table departments add constraint departments_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table employees add constraint employees_gender_fkey foreign key (tenant_id, gender)
  references genders (tenant_id, name) deferrable;
alter table employees add constraint employees_user_id_fkey foreign key (tenant_id, user_id)
  references users (tenant_id, name) deferrable;
alter table employees add constraint employees_company_fkey foreign key (tenant_id, company)
  references companies (tenant_id, name) deferrable;
alter table employees add constraint employees_department_fkey foreign key (tenant_id, department)
  references departments (tenant_id, name) deferrable;
alter table employees add constraint employees_designation_fkey foreign key (tenant_id, designation)
  references designations (tenant_id, name) deferrable;

-- Ways from a record to those that name it.
create index students_siblings_student_idx on students_siblings (tenant_id, student) where student is not null;
create index student_logs_student_idx on student_logs (tenant_id, student) where student is not null;
create index student_applicants_siblings_student_idx on student_applicants_siblings (tenant_id, student) where student is not null;
create index program_enrollments_student_idx on program_enrollments (tenant_id, student) where student is not null;
create index program_enrollments_amended_from_idx on program_enrollments (tenant_id, amended_from) where amended_from is not null;
create index program_enrollments_fees_fee_structure_idx on program_enrollments_fees (tenant_id, fee_structure) where fee_structure is not null;
create index program_enrollments_fees_fee_schedule_idx on program_enrollments_fees (tenant_id, fee_schedule) where fee_schedule is not null;
create index course_enrollments_program_enrollment_idx on course_enrollments (tenant_id, program_enrollment) where program_enrollment is not null;
create index course_enrollments_student_idx on course_enrollments (tenant_id, student) where student is not null;
create index course_activities_enrollment_idx on course_activities (tenant_id, enrollment) where enrollment is not null;
create index student_groups_students_student_idx on student_groups_students (tenant_id, student) where student is not null;
create index student_groups_instructors_instructor_idx on student_groups_instructors (tenant_id, instructor) where instructor is not null;
create index instructors_employee_idx on instructors (tenant_id, employee) where employee is not null;
create index instructors_instructor_log_student_group_idx on instructors_instructor_log (tenant_id, student_group) where student_group is not null;
create index course_schedules_student_group_idx on course_schedules (tenant_id, student_group) where student_group is not null;
create index course_schedules_instructor_idx on course_schedules (tenant_id, instructor) where instructor is not null;
create index student_attendances_student_idx on student_attendances (tenant_id, student) where student is not null;
create index student_attendances_course_schedule_idx on student_attendances (tenant_id, course_schedule) where course_schedule is not null;
create index student_attendances_student_group_idx on student_attendances (tenant_id, student_group) where student_group is not null;
create index student_attendances_leave_application_idx on student_attendances (tenant_id, leave_application) where leave_application is not null;
create index student_leave_applications_student_idx on student_leave_applications (tenant_id, student) where student is not null;
create index student_leave_applications_student_group_idx on student_leave_applications (tenant_id, student_group) where student_group is not null;
create index student_leave_applications_course_schedule_idx on student_leave_applications (tenant_id, course_schedule) where course_schedule is not null;
create index student_leave_applications_amended_from_idx on student_leave_applications (tenant_id, amended_from) where amended_from is not null;
create index fee_categories_item_defaults_income_account_idx on fee_categories_item_defaults (tenant_id, income_account) where income_account is not null;
create index fee_structures_receivable_account_idx on fee_structures (tenant_id, receivable_account) where receivable_account is not null;
create index fee_structures_amended_from_idx on fee_structures (tenant_id, amended_from) where amended_from is not null;
create index fee_structures_income_account_idx on fee_structures (tenant_id, income_account) where income_account is not null;
create index fee_schedules_fee_structure_idx on fee_schedules (tenant_id, fee_structure) where fee_structure is not null;
create index fee_schedules_receivable_account_idx on fee_schedules (tenant_id, receivable_account) where receivable_account is not null;
create index fee_schedules_amended_from_idx on fee_schedules (tenant_id, amended_from) where amended_from is not null;
create index fee_schedules_income_account_idx on fee_schedules (tenant_id, income_account) where income_account is not null;
create index fee_schedules_student_groups_student_group_idx on fee_schedules_student_groups (tenant_id, student_group) where student_group is not null;
create index fees_student_idx on fees (tenant_id, student) where student is not null;
create index fees_program_enrollment_idx on fees (tenant_id, program_enrollment) where program_enrollment is not null;
create index fees_fee_structure_idx on fees (tenant_id, fee_structure) where fee_structure is not null;
create index fees_fee_schedule_idx on fees (tenant_id, fee_schedule) where fee_schedule is not null;
create index fees_receivable_account_idx on fees (tenant_id, receivable_account) where receivable_account is not null;
create index fees_income_account_idx on fees (tenant_id, income_account) where income_account is not null;
create index payment_records_student_idx on payment_records (tenant_id, student) where student is not null;
create index assessment_plans_student_group_idx on assessment_plans (tenant_id, student_group) where student_group is not null;
create index assessment_plans_examiner_idx on assessment_plans (tenant_id, examiner) where examiner is not null;
create index assessment_plans_supervisor_idx on assessment_plans (tenant_id, supervisor) where supervisor is not null;
create index assessment_plans_amended_from_idx on assessment_plans (tenant_id, amended_from) where amended_from is not null;
create index assessment_results_assessment_plan_idx on assessment_results (tenant_id, assessment_plan) where assessment_plan is not null;
create index assessment_results_student_idx on assessment_results (tenant_id, student) where student is not null;
create index assessment_results_student_group_idx on assessment_results (tenant_id, student_group) where student_group is not null;
create index companies_default_receivable_account_idx on companies (tenant_id, default_receivable_account) where default_receivable_account is not null;
create index companies_default_income_account_idx on companies (tenant_id, default_income_account) where default_income_account is not null;
create index companies_default_cash_account_idx on companies (tenant_id, default_cash_account) where default_cash_account is not null;
create index companies_default_bank_account_idx on companies (tenant_id, default_bank_account) where default_bank_account is not null;
create index accounts_parent_account_idx on accounts (tenant_id, parent_account) where parent_account is not null;
create index gl_entries_account_idx on gl_entries (tenant_id, account) where account is not null;
create index employees_user_id_idx on employees (tenant_id, user_id) where user_id is not null;

