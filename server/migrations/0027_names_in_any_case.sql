-- Names count as the same in any case, as in MariaDB, under which clients were written: `Grade A` and `grade a` name one record.

-- A collation rather than `lower(name)`: under row-level security no index of an expression is used that PostgreSQL does not know
-- to be silent about what it sees, and the comparison of texts is.
create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

-- Of records whose names differ in case only the oldest keeps its name, and the others get a number behind it, wherever they are
-- named.
do $$
declare
  kind record;
  later record;
  link record;
  renamed text;
  number integer;
  is_taken boolean;
begin
  set constraints all deferred;
  for kind in select * from (values
      ('companies', 'Company', 'company_name'),
      ('accounts', 'Account', null),
      ('cost_centers', 'Cost Center', null),
      ('gl_entries', 'GL Entry', null),
      ('currencies', 'Currency', 'currency_name'),
      ('countries', 'Country', 'country_name'),
      ('languages', 'Language', 'language_code'),
      ('genders', 'Gender', 'gender'),
      ('departments', 'Department', 'department_name'),
      ('designations', 'Designation', 'designation_name'),
      ('employees', 'Employee', null),
      ('holiday_lists', 'Holiday List', 'holiday_list_name'),
      ('users', 'User', null),
      ('roles', 'Role', 'role_name'),
      ('academic_years', 'Academic Year', 'academic_year_name'),
      ('academic_terms', 'Academic Term', 'title'),
      ('topics', 'Topic', 'topic_name'),
      ('articles', 'Article', 'title'),
      ('student_categories', 'Student Category', 'category'),
      ('student_languages', 'Student Language', 'language_name'),
      ('student_batch_names', 'Student Batch Name', 'batch_name'),
      ('school_houses', 'School House', 'house_name'),
      ('student_logs', 'Student Log', null),
      ('student_admissions', 'Student Admission', null),
      ('program_enrollments', 'Program Enrollment', null),
      ('course_enrollments', 'Course Enrollment', null),
      ('course_activities', 'Course Activity', null),
      ('questions', 'Question', null),
      ('quizzes', 'Quiz', 'title'),
      ('quiz_activities', 'Quiz Activity', null),
      ('student_groups', 'Student Group', 'student_group_name'),
      ('email_groups', 'Email Group', 'title'),
      ('email_group_members', 'Email Group Member', null),
      ('instructors', 'Instructor', null),
      ('rooms', 'Room', null),
      ('course_schedules', 'Course Schedule', null),
      ('student_attendances', 'Student Attendance', null),
      ('student_leave_applications', 'Student Leave Application', null),
      ('grading_scales', 'Grading Scale', 'grading_scale_name'),
      ('assessment_groups', 'Assessment Group', 'assessment_group_name'),
      ('assessment_criteria_groups', 'Assessment Criteria Group', 'assessment_criteria_group'),
      ('assessment_criteria', 'Assessment Criteria', 'assessment_criteria'),
      ('assessment_plans', 'Assessment Plan', null),
      ('assessment_results', 'Assessment Result', null),
      ('fee_categories', 'Fee Category', 'category_name'),
      ('fee_structures', 'Fee Structure', null),
      ('fee_schedules', 'Fee Schedule', null),
      ('fees', 'Fees', null),
      ('payment_records', 'Payment Record', null),
      ('files', 'File', null)
    ) as kinds (relation, type, name_field)
  loop
    for later in execute format(
      'select tenant_id, id, name
         from (select tenant_id, id, name,
                      row_number() over (partition by tenant_id, name collate any_case order by created_at, id) as place
                 from %I) placed
        where place > 1
        order by tenant_id, place, id', kind.relation)
    loop
      number := 2;
      loop
        renamed := left(later.name, 130) || '-' || number;
        execute format('select exists (select from %I where tenant_id = $1 and name = $2 collate any_case)', kind.relation)
           into is_taken using later.tenant_id, renamed;
        exit when not is_taken;
        number := number + 1;
      end loop;
      execute format('update %I set name = $3, version = version + 1, updated_at = current_stamp()
                       where tenant_id = $1 and id = $2', kind.relation)
        using later.tenant_id, later.id, renamed;
      if kind.name_field is not null then
        execute format('update %I set %I = $3 where tenant_id = $1 and id = $2', kind.relation, kind.name_field)
          using later.tenant_id, later.id, renamed;
      end if;
      for link in
        select k.conrelid::regclass as linking, linked.attname as field
          from pg_constraint k
          join pg_attribute linked on linked.attrelid = k.conrelid and linked.attnum = k.conkey[2]
          join pg_attribute named on named.attrelid = k.confrelid and named.attnum = k.confkey[2]
         where k.contype = 'f' and k.confrelid = kind.relation::regclass and named.attname = 'name'
      loop
        execute format('update %s set %I = $3 where tenant_id = $1 and %I = $2', link.linking, link.field, link.field)
          using later.tenant_id, later.name, renamed;
      end loop;
      for link in select * from (values
        ('gl_entries', 'party_type', 'party'),
        ('gl_entries', 'against_voucher_type', 'against_voucher'),
        ('gl_entries', 'voucher_type', 'voucher_no'),
        ('topics_topic_content', 'content_type', 'content'),
        ('course_activities', 'content_type', 'content'),
        ('files', 'attached_to_doctype', 'attached_to_name')
      ) as links (linking, type_field, field)
      loop
        execute format('update %I set %I = $4 where tenant_id = $1 and %I = $2 and %I = $3',
                       link.linking, link.field, link.type_field, link.field)
          using later.tenant_id, kind.type, later.name, renamed;
      end loop;
    end loop;
  end loop;
  set constraints all immediate;
end $$;

-- A series counts on however its text is written, or the second of two spellings would give names that are taken.
delete from naming_series s
 using naming_series further
 where further.tenant_id = s.tenant_id and further.prefix = s.prefix collate any_case and further.prefix <> s.prefix
   and (further.current, further.prefix) > (s.current, s.prefix);
alter table naming_series alter column prefix type text collate any_case;

-- The one record of such a type is neither a draft nor submitted.
update education_settings set docstatus = 0 where docstatus <> 0;
update student_attendance_tools set docstatus = 0 where docstatus <> 0;
update assessment_result_tools set docstatus = 0 where docstatus <> 0;
update course_scheduling_tools set docstatus = 0 where docstatus <> 0;
update program_enrollment_tools set docstatus = 0 where docstatus <> 0;
update student_group_creation_tools set docstatus = 0 where docstatus <> 0;
update student_report_generation_tools set docstatus = 0 where docstatus <> 0;

-- The exact keys stay, because links refer to them.
create unique index companies_any_case_key on companies (tenant_id, name collate any_case);
create unique index accounts_any_case_key on accounts (tenant_id, name collate any_case);
create unique index cost_centers_any_case_key on cost_centers (tenant_id, name collate any_case);
create unique index gl_entries_any_case_key on gl_entries (tenant_id, name collate any_case);
create unique index currencies_any_case_key on currencies (tenant_id, name collate any_case);
create unique index countries_any_case_key on countries (tenant_id, name collate any_case);
create unique index languages_any_case_key on languages (tenant_id, name collate any_case);
create unique index genders_any_case_key on genders (tenant_id, name collate any_case);
create unique index departments_any_case_key on departments (tenant_id, name collate any_case);
create unique index designations_any_case_key on designations (tenant_id, name collate any_case);
create unique index employees_any_case_key on employees (tenant_id, name collate any_case);
create unique index holiday_lists_any_case_key on holiday_lists (tenant_id, name collate any_case);
create unique index users_any_case_key on users (tenant_id, name collate any_case);
create unique index roles_any_case_key on roles (tenant_id, name collate any_case);
create unique index education_settings_any_case_key on education_settings (tenant_id, name collate any_case);
create unique index academic_years_any_case_key on academic_years (tenant_id, name collate any_case);
create unique index academic_terms_any_case_key on academic_terms (tenant_id, name collate any_case);
create unique index topics_any_case_key on topics (tenant_id, name collate any_case);
create unique index articles_any_case_key on articles (tenant_id, name collate any_case);
create unique index student_categories_any_case_key on student_categories (tenant_id, name collate any_case);
create unique index student_languages_any_case_key on student_languages (tenant_id, name collate any_case);
create unique index student_batch_names_any_case_key on student_batch_names (tenant_id, name collate any_case);
create unique index school_houses_any_case_key on school_houses (tenant_id, name collate any_case);
create unique index student_logs_any_case_key on student_logs (tenant_id, name collate any_case);
create unique index student_admissions_any_case_key on student_admissions (tenant_id, name collate any_case);
create unique index program_enrollments_any_case_key on program_enrollments (tenant_id, name collate any_case);
create unique index course_enrollments_any_case_key on course_enrollments (tenant_id, name collate any_case);
create unique index course_activities_any_case_key on course_activities (tenant_id, name collate any_case);
create unique index questions_any_case_key on questions (tenant_id, name collate any_case);
create unique index quizzes_any_case_key on quizzes (tenant_id, name collate any_case);
create unique index quiz_activities_any_case_key on quiz_activities (tenant_id, name collate any_case);
create unique index student_groups_any_case_key on student_groups (tenant_id, name collate any_case);
create unique index email_groups_any_case_key on email_groups (tenant_id, name collate any_case);
create unique index email_group_members_any_case_key on email_group_members (tenant_id, name collate any_case);
create unique index instructors_any_case_key on instructors (tenant_id, name collate any_case);
create unique index rooms_any_case_key on rooms (tenant_id, name collate any_case);
create unique index course_schedules_any_case_key on course_schedules (tenant_id, name collate any_case);
create unique index student_attendances_any_case_key on student_attendances (tenant_id, name collate any_case);
create unique index student_leave_applications_any_case_key
  on student_leave_applications (tenant_id, name collate any_case);
create unique index student_attendance_tools_any_case_key
  on student_attendance_tools (tenant_id, name collate any_case);
create unique index grading_scales_any_case_key on grading_scales (tenant_id, name collate any_case);
create unique index assessment_groups_any_case_key on assessment_groups (tenant_id, name collate any_case);
create unique index assessment_criteria_groups_any_case_key
  on assessment_criteria_groups (tenant_id, name collate any_case);
create unique index assessment_criteria_any_case_key on assessment_criteria (tenant_id, name collate any_case);
create unique index assessment_plans_any_case_key on assessment_plans (tenant_id, name collate any_case);
create unique index assessment_results_any_case_key on assessment_results (tenant_id, name collate any_case);
create unique index assessment_result_tools_any_case_key on assessment_result_tools (tenant_id, name collate any_case);
create unique index fee_categories_any_case_key on fee_categories (tenant_id, name collate any_case);
create unique index fee_structures_any_case_key on fee_structures (tenant_id, name collate any_case);
create unique index fee_schedules_any_case_key on fee_schedules (tenant_id, name collate any_case);
create unique index fees_any_case_key on fees (tenant_id, name collate any_case);
create unique index payment_records_any_case_key on payment_records (tenant_id, name collate any_case);
create unique index files_any_case_key on files (tenant_id, name collate any_case);
create unique index course_scheduling_tools_any_case_key on course_scheduling_tools (tenant_id, name collate any_case);
create unique index program_enrollment_tools_any_case_key
  on program_enrollment_tools (tenant_id, name collate any_case);
create unique index student_group_creation_tools_any_case_key
  on student_group_creation_tools (tenant_id, name collate any_case);
create unique index student_report_generation_tools_any_case_key
  on student_report_generation_tools (tenant_id, name collate any_case);

-- The Client API takes names that differ in case only.
create index programs_any_case_idx on programs (tenant_id, name collate any_case);
create index courses_any_case_idx on courses (tenant_id, name collate any_case);
create index students_any_case_idx on students (tenant_id, student_code collate any_case);
create index contacts_any_case_idx on contacts (tenant_id, code collate any_case);
create index admission_applications_any_case_idx on admission_applications (tenant_id, application_code collate any_case);
