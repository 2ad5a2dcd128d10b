alter table education_settings add column repeated_courses text;
alter table education_settings add column show_rank smallint not null default 0;
alter table grading_scales_intervals add column grade_points numeric not null default 0;
create table issued_report_cards (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint issued_report_cards_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  academic_year text,
  academic_term text,
  edition integer not null default 0,
  issued_on timestamp without time zone,
  result_names text,
  card text,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint issued_report_cards_pkey primary key (tenant_id, id),
  constraint issued_report_cards_name_key unique (tenant_id, name)
);
create unique index issued_report_cards_any_case_key on issued_report_cards (tenant_id, name collate any_case);
create index issued_report_cards_created_at_idx on issued_report_cards (tenant_id, created_at, id);
create index issued_report_cards_updated_at_idx on issued_report_cards (tenant_id, updated_at, id);
create table mark_corrections (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint mark_corrections_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  assessment_plan text,
  course text,
  student_group text,
  old_result text,
  new_result text,
  old_total numeric not null default 0,
  old_grade text,
  new_total numeric not null default 0,
  new_grade text,
  reason text,
  corrected_by text,
  corrected_on timestamp without time zone,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint mark_corrections_pkey primary key (tenant_id, id),
  constraint mark_corrections_name_key unique (tenant_id, name)
);
create unique index mark_corrections_any_case_key on mark_corrections (tenant_id, name collate any_case);
create index mark_corrections_created_at_idx on mark_corrections (tenant_id, created_at, id);
create index mark_corrections_updated_at_idx on mark_corrections (tenant_id, updated_at, id);
create index mark_corrections_student_idx on mark_corrections (tenant_id, student) where student is not null;
create index mark_corrections_assessment_plan_idx on mark_corrections (tenant_id, assessment_plan) where assessment_plan is not null;
create index mark_corrections_student_group_idx on mark_corrections (tenant_id, student_group) where student_group is not null;
create index mark_corrections_old_result_idx on mark_corrections (tenant_id, old_result) where old_result is not null;
create index mark_corrections_new_result_idx on mark_corrections (tenant_id, new_result) where new_result is not null;
create table mark_corrections_changes (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid not null,
  name text not null,
  idx integer not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0,
  assessment_criteria text,
  old_outcome text,
  old_score numeric not null default 0,
  new_outcome text,
  new_score numeric not null default 0,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint mark_corrections_changes_pkey primary key (tenant_id, id),
  constraint mark_corrections_changes_parent_fkey foreign key (tenant_id, parent_id) references mark_corrections (tenant_id, id) on delete cascade
);
create index mark_corrections_changes_parent_idx on mark_corrections_changes (tenant_id, parent_id, idx);
create unique index mark_corrections_changes_name_key on mark_corrections_changes (tenant_id, name);
create table marks_postings (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint marks_postings_docstatus_check check (docstatus in (0, 1, 2)),
  course text,
  academic_year text,
  academic_term text,
  student_group text,
  comment text,
  results integer not null default 0,
  posted_by text,
  posted_on timestamp without time zone,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint marks_postings_pkey primary key (tenant_id, id),
  constraint marks_postings_name_key unique (tenant_id, name)
);
create unique index marks_postings_any_case_key on marks_postings (tenant_id, name collate any_case);
create index marks_postings_created_at_idx on marks_postings (tenant_id, created_at, id);
create index marks_postings_updated_at_idx on marks_postings (tenant_id, updated_at, id);
create index marks_postings_student_group_idx on marks_postings (tenant_id, student_group) where student_group is not null;
create table transfer_credits (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint transfer_credits_docstatus_check check (docstatus in (0, 1, 2)),
  student text,
  student_name text,
  institution text,
  course_title text,
  course text,
  completed_on date,
  credits numeric,
  grade text,
  counts_in_average smallint not null default 0,
  grade_points numeric not null default 0,
  amended_from text,
  custom_fields jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint transfer_credits_pkey primary key (tenant_id, id),
  constraint transfer_credits_name_key unique (tenant_id, name)
);
create unique index transfer_credits_any_case_key on transfer_credits (tenant_id, name collate any_case);
create index transfer_credits_created_at_idx on transfer_credits (tenant_id, created_at, id);
create index transfer_credits_updated_at_idx on transfer_credits (tenant_id, updated_at, id);
create index transfer_credits_student_idx on transfer_credits (tenant_id, student) where student is not null;
create index transfer_credits_amended_from_idx on transfer_credits (tenant_id, amended_from) where amended_from is not null;
alter table issued_report_cards add constraint issued_report_cards_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table issued_report_cards add constraint issued_report_cards_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table issued_report_cards add constraint issued_report_cards_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table mark_corrections add constraint mark_corrections_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table mark_corrections add constraint mark_corrections_assessment_plan_fkey foreign key (tenant_id, assessment_plan)
  references assessment_plans (tenant_id, name) deferrable;
alter table mark_corrections add constraint mark_corrections_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table mark_corrections add constraint mark_corrections_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table mark_corrections add constraint mark_corrections_old_result_fkey foreign key (tenant_id, old_result)
  references assessment_results (tenant_id, name) deferrable;
alter table mark_corrections add constraint mark_corrections_new_result_fkey foreign key (tenant_id, new_result)
  references assessment_results (tenant_id, name) deferrable;
alter table mark_corrections_changes add constraint mark_corrections_changes_assessment_criteria_fkey foreign key (tenant_id, assessment_criteria)
  references assessment_criteria (tenant_id, name) deferrable;
alter table marks_postings add constraint marks_postings_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table marks_postings add constraint marks_postings_academic_year_fkey foreign key (tenant_id, academic_year)
  references academic_years (tenant_id, name) deferrable;
alter table marks_postings add constraint marks_postings_academic_term_fkey foreign key (tenant_id, academic_term)
  references academic_terms (tenant_id, name) deferrable;
alter table marks_postings add constraint marks_postings_student_group_fkey foreign key (tenant_id, student_group)
  references student_groups (tenant_id, name) deferrable;
alter table transfer_credits add constraint transfer_credits_student_fkey foreign key (tenant_id, student)
  references students (tenant_id, student_code) deferrable;
alter table transfer_credits add constraint transfer_credits_course_fkey foreign key (tenant_id, course)
  references courses (tenant_id, name) deferrable;
alter table transfer_credits add constraint transfer_credits_amended_from_fkey foreign key (tenant_id, amended_from)
  references transfer_credits (tenant_id, name) deferrable;

-- The marks that a posting makes final, for every save of a result.
create index marks_postings_course_idx on marks_postings (tenant_id, course, academic_year);
create index issued_report_cards_term_idx on issued_report_cards (tenant_id, student, academic_year, academic_term);

create or replace view course_records with (security_invoker = true) as
select c.tenant_id, c.id, c.name, c.owner, c.modified_by, 0::smallint as docstatus,
       c.created_at, c.updated_at, c.version,
       c.name as course_name, c.department, c.hero_image, nullif(c.description, '') as description,
       c.default_grading_scale,
       c.custom_fields, coalesce(c.credits, 0) as credits
  from courses c;
