-- Quizzes: the questions, what students answered, and how it went.
create table questions (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint questions_docstatus_check check (docstatus in (0, 1, 2)),
  question text,
  question_type text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint questions_pkey primary key (tenant_id, id),
  constraint questions_name_key unique (tenant_id, name)
);
create index questions_created_at_idx on questions (tenant_id, created_at);
create index questions_updated_at_idx on questions (tenant_id, updated_at);

create table questions_options (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  option text,
  is_correct smallint not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint questions_options_pkey primary key (tenant_id, id),
  constraint questions_options_parent_fkey foreign key (tenant_id, parent_id) references questions (tenant_id, id) on delete cascade
);
create index questions_options_parent_idx on questions_options (tenant_id, parent_id, idx);
create unique index questions_options_name_key on questions_options (tenant_id, name);

create table quizzes (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint quizzes_docstatus_check check (docstatus in (0, 1, 2)),
  title text,
  passing_score numeric not null default 0,
  max_attempts integer not null default 0,
  grading_basis text,
  is_time_bound smallint not null default 0,
  duration numeric,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint quizzes_pkey primary key (tenant_id, id),
  constraint quizzes_name_key unique (tenant_id, name)
);
create index quizzes_created_at_idx on quizzes (tenant_id, created_at);
create index quizzes_updated_at_idx on quizzes (tenant_id, updated_at);

create table quizzes_question (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  question_link text,
  question text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint quizzes_question_pkey primary key (tenant_id, id),
  constraint quizzes_question_parent_fkey foreign key (tenant_id, parent_id) references quizzes (tenant_id, id) on delete cascade
);
create index quizzes_question_parent_idx on quizzes_question (tenant_id, parent_id, idx);
create unique index quizzes_question_name_key on quizzes_question (tenant_id, name);

create table quiz_activities (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint quiz_activities_docstatus_check check (docstatus in (0, 1, 2)),
  enrollment text,
  student text,
  course text,
  quiz text,
  status text,
  activity_date text,
  score text,
  time_taken numeric,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint quiz_activities_pkey primary key (tenant_id, id),
  constraint quiz_activities_name_key unique (tenant_id, name)
);
create index quiz_activities_created_at_idx on quiz_activities (tenant_id, created_at);
create index quiz_activities_updated_at_idx on quiz_activities (tenant_id, updated_at);

create table quiz_activities_result (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  question text,
  selected_option text,
  quiz_result text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint quiz_activities_result_pkey primary key (tenant_id, id),
  constraint quiz_activities_result_parent_fkey foreign key (tenant_id, parent_id) references quiz_activities (tenant_id, id) on delete cascade
);
create index quiz_activities_result_parent_idx on quiz_activities_result (tenant_id, parent_id, idx);
create unique index quiz_activities_result_name_key on quiz_activities_result (tenant_id, name);

alter table quizzes_question add constraint quizzes_question_question_link_fkey foreign key (tenant_id, question_link)
  references questions (tenant_id, name) deferrable;
create index quizzes_question_question_link_idx on quizzes_question (tenant_id, question_link) where question_link is not null;
alter table quiz_activities add constraint quiz_activities_enrollment_fkey foreign key (tenant_id, enrollment)
  references course_enrollments (tenant_id, name) deferrable;
create index quiz_activities_enrollment_idx on quiz_activities (tenant_id, enrollment) where enrollment is not null;
alter table quiz_activities add constraint quiz_activities_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
create index quiz_activities_student_idx on quiz_activities (tenant_id, student) where student is not null;
alter table quiz_activities add constraint quiz_activities_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
create index quiz_activities_course_idx on quiz_activities (tenant_id, course) where course is not null;
alter table quiz_activities add constraint quiz_activities_quiz_fkey foreign key (tenant_id, quiz)
  references quizzes (tenant_id, name) deferrable;
create index quiz_activities_quiz_idx on quiz_activities (tenant_id, quiz) where quiz is not null;
alter table quiz_activities_result add constraint quiz_activities_result_question_fkey foreign key (tenant_id, question)
  references questions (tenant_id, name) deferrable;
create index quiz_activities_result_question_idx on quiz_activities_result (tenant_id, question) where question is not null;

-- More tools that keep what was filled in last.
create table student_attendance_tools (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_attendance_tools_docstatus_check check (docstatus in (0, 1, 2)),
  based_on text,
  group_based_on text,
  student_group text,
  academic_year text,
  academic_term text,
  course_schedule text,
  date date,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_attendance_tools_pkey primary key (tenant_id, id),
  constraint student_attendance_tools_name_key unique (tenant_id, name)
);

create table assessment_result_tools (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint assessment_result_tools_docstatus_check check (docstatus in (0, 1, 2)),
  assessment_plan text,
  student_group text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint assessment_result_tools_pkey primary key (tenant_id, id),
  constraint assessment_result_tools_name_key unique (tenant_id, name)
);

create table student_report_generation_tools (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint student_report_generation_tools_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  program text,
  student_batch text,
  assessment_group text,
  academic_year text,
  academic_term text,
  add_letterhead smallint not null default 0,
  letter_head text,
  parents_meeting text,
  parents_attendance text,
  show_marks smallint not null default 0,
  terms text,
  assessment_terms text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_report_generation_tools_pkey primary key (tenant_id, id),
  constraint student_report_generation_tools_name_key unique (tenant_id, name)
);
