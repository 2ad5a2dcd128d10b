-- What students, people, applications, programs and courses keep for the Resource and Method API beside what the Client API
-- shows, and the views by which it reads them: a row has one truth, whichever surface wrote it.

alter table students
  add column owner text not null default 'Administrator',
  add column modified_by text not null default 'Administrator',
  add column naming_series text,
  -- The last of the given names, where they were written as first and middle name.
  add column middle_name text,
  add column joining_date date,
  add column user_name text,
  add column blood_group text,
  add column address_line_2 text,
  add column customer text,
  add column customer_group text,
  add column date_of_leaving date,
  add column leaving_certificate_number text,
  add column reason_for_leaving text,
  add constraint students_user_fkey foreign key (tenant_id, user_name) references users (tenant_id, name)
    on update cascade deferrable;
create index students_full_name_idx on students (tenant_id, full_name);
create index students_exact_email_idx on students (tenant_id, email) where email is not null;
create index students_user_idx on students (tenant_id, user_name) where user_name is not null;

alter table contacts
  add column code text,
  add column owner text not null default 'Administrator',
  add column modified_by text not null default 'Administrator',
  add column alternate_number text,
  add column date_of_birth date,
  add column user_name text,
  add column education text,
  add column occupation text,
  add column designation text,
  add column work_address text,
  add column image text,
  add constraint contacts_user_fkey foreign key (tenant_id, user_name) references users (tenant_id, name)
    on update cascade deferrable;

-- Everybody who is known already gets a code of the year in which they became known.
with head as (
  select c.tenant_id, c.id, c.created_at,
         'EDU-GRD-' || to_char(c.created_at at time zone t.time_zone, 'YYYY') || '-' as prefix
    from contacts c join tenants t on t.id = c.tenant_id
), numbered as (
  select tenant_id, id, prefix,
         row_number() over (partition by tenant_id, prefix order by created_at, id)::text as number
    from head
)
update contacts c
   set code = n.prefix || lpad(n.number, greatest(5, length(n.number)), '0')
  from numbered n
 where n.tenant_id = c.tenant_id and n.id = c.id;

insert into naming_series (tenant_id, prefix, current)
select tenant_id, left(code, 13), count(*) from contacts group by 1, 2
on conflict on constraint naming_series_pkey
do update set current = greatest(naming_series.current, excluded.current);

alter table contacts
  alter column code set not null,
  add constraint contacts_code_key unique (tenant_id, code);
create index contacts_created_at_idx on contacts (tenant_id, created_at);
create index contacts_updated_at_idx on contacts (tenant_id, updated_at);
create index contacts_display_name_idx on contacts (tenant_id, display_name);
create index contacts_exact_email_idx on contacts (tenant_id, email) where email is not null;
create index contacts_user_idx on contacts (tenant_id, user_name) where user_name is not null;

-- The place of a link among the rows of its record, where somebody put them in an order. Others follow.
alter table student_contacts add column position integer;
alter table application_contacts add column position integer;

alter table admission_applications
  add column owner text not null default 'Administrator',
  add column modified_by text not null default 'Administrator',
  add column naming_series text,
  add column middle_name text,
  add column application_date date,
  add column student_admission text,
  add column student_category text,
  add column paid smallint not null default 0,
  add column amended_from text,
  add column date_of_birth date,
  add column gender text,
  add column blood_group text,
  add column nationality text,
  add column address_line_2 text,
  add column postal_code text,
  add constraint admission_applications_student_admission_fkey foreign key (tenant_id, student_admission)
    references student_admissions (tenant_id, name) on update cascade deferrable,
  add constraint admission_applications_student_category_fkey foreign key (tenant_id, student_category)
    references student_categories (tenant_id, name) on update cascade deferrable,
  add constraint admission_applications_amended_from_fkey foreign key (tenant_id, amended_from)
    references admission_applications (tenant_id, application_code) on update cascade deferrable;
create index admission_applications_full_name_idx on admission_applications (tenant_id, full_name);
create index admission_applications_exact_email_idx on admission_applications (tenant_id, email) where email is not null;
create index admission_applications_academic_year_idx
  on admission_applications (tenant_id, academic_year) where academic_year is not null;
create index admission_applications_student_admission_idx
  on admission_applications (tenant_id, student_admission) where student_admission is not null;
create index admission_applications_student_category_idx
  on admission_applications (tenant_id, student_category) where student_category is not null;
create index admission_applications_amended_from_idx
  on admission_applications (tenant_id, amended_from) where amended_from is not null;

alter table programs
  add column owner text not null default 'Administrator',
  add column modified_by text not null default 'Administrator',
  add column department text,
  add column hero_image text,
  add column program_abbreviation text,
  add constraint programs_department_fkey foreign key (tenant_id, department) references departments (tenant_id, name)
    on update cascade deferrable;

alter table courses
  add column owner text not null default 'Administrator',
  add column modified_by text not null default 'Administrator',
  add column department text,
  add column hero_image text,
  add column default_grading_scale text,
  add constraint courses_department_fkey foreign key (tenant_id, department) references departments (tenant_id, name)
    on update cascade deferrable,
  add constraint courses_default_grading_scale_fkey foreign key (tenant_id, default_grading_scale)
    references grading_scales (tenant_id, name) on update cascade deferrable;

alter table program_courses
  add column created_at timestamptz(3) not null default current_stamp(),
  add column updated_at timestamptz(3) not null default current_stamp();

-- A name that either surface changes changes wherever it is named.
do $$
declare
  link record;
begin
  for link in
    select k.conrelid::regclass as linking, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k
     where k.contype = 'f' and k.condeferrable and k.confupdtype <> 'c'
       and k.confrelid in ('students'::regclass, 'programs'::regclass, 'courses'::regclass)
  loop
    execute format('alter table %s drop constraint %I', link.linking, link.name);
    execute format('alter table %s add constraint %I %s', link.linking, link.name,
                   replace(link.definition, ' DEFERRABLE', ' ON UPDATE CASCADE DEFERRABLE'));
  end loop;
end $$;

-- The middle name, where the given names still end with it.
create function middle_name_of(given_names text, middle_name text) returns text
  language sql immutable parallel safe
  as $$
    select case
      when length(given_names) > length(middle_name) + 1
       and right(given_names, length(middle_name) + 1) = ' ' || middle_name then middle_name
    end
  $$;

-- The given names without the middle one, where they still end with it; the full name stands for given names that are not
-- known.
create function first_name_of(given_names text, middle_name text, full_name text) returns text
  language sql immutable parallel safe
  as $$
    select case
      when coalesce(given_names, '') = '' then full_name
      when middle_name_of(given_names, middle_name) is null then given_names
      else left(given_names, -1 - length(middle_name))
    end
  $$;

-- How somebody is related, in the three words of the Resource and Method API.
create function relation_of(label text) returns text
  language sql immutable parallel safe
  as $$
    select case
      when coalesce(label, '') = '' then null
      when lower(label) in ('mother', 'mom', 'mum', 'madre', 'mamá', 'mãe', 'mamãe') then 'Mother'
      when lower(label) in ('father', 'dad', 'padre', 'papá', 'pai', 'papai') then 'Father'
      else 'Others'
    end
  $$;

-- The name of a row that has no other: the last sixteen digits of its id.
create function row_name_of(id uuid) returns text
  language sql immutable parallel safe
  as $$ select right(replace(id::text, '-', ''), 16) $$;

create view student_records with (security_invoker = true) as
select s.tenant_id, s.id, s.student_code as name, s.owner, s.modified_by, 0::smallint as docstatus,
       s.created_at, s.updated_at, s.version,
       (s.status = 'active')::integer as enabled,
       first_name_of(s.given_names, s.middle_name, s.full_name) as first_name,
       middle_name_of(s.given_names, s.middle_name) as middle_name,
       s.family_names as last_name,
       s.naming_series, s.joining_date, s.user_name as "user",
       (select a.application_code from admission_applications a
         where a.tenant_id = s.tenant_id and a.student_id = s.id
         order by a.created_at, a.id limit 1) as student_applicant,
       s.photo_url as image, s.email as student_email_id, s.date_of_birth, s.blood_group,
       s.phone as student_mobile_number, s.gender, s.nationality,
       s.address as address_line_1, s.address_line_2, s.postal_code as pincode, s.city, s.state_province as state,
       s.country, s.customer, s.customer_group, s.date_of_leaving, s.leaving_certificate_number,
       s.reason_for_leaving, s.full_name as student_name
  from students s;

create view student_guardian_rows with (security_invoker = true) as
select l.tenant_id, l.id, l.student_id as parent_id, row_name_of(l.id) as name,
       (select count(*) from student_contacts o
         where o.tenant_id = l.tenant_id and o.student_id = l.student_id
           and (coalesce(o.position, 2147483647), o.created_at, o.id)
            <= (coalesce(l.position, 2147483647), l.created_at, l.id))::integer as idx,
       'Administrator' as owner, 'Administrator' as modified_by, 0::smallint as docstatus, l.created_at, l.updated_at,
       c.code as guardian, c.display_name as guardian_name, relation_of(l.relationship_label) as relation
  from student_contacts l
  join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id;

create view guardian_records with (security_invoker = true) as
select c.tenant_id, c.id, c.code as name, c.owner, c.modified_by, 0::smallint as docstatus,
       c.created_at, c.updated_at, c.version,
       c.display_name as guardian_name, c.email as email_address, c.phone as mobile_number, c.alternate_number,
       c.date_of_birth, c.user_name as "user", c.education, c.occupation, c.designation, c.work_address, c.image
  from contacts c;

-- The students of a guardian, each once.
create view guardian_student_rows with (security_invoker = true) as
select d.tenant_id, d.id, d.parent_id, row_name_of(d.id) as name,
       row_number() over (partition by d.tenant_id, d.parent_id order by d.student)::integer as idx,
       'Administrator' as owner, 'Administrator' as modified_by, 0::smallint as docstatus, d.created_at, d.updated_at,
       d.student, d.student_name
  from (select distinct on (l.tenant_id, l.contact_id, l.student_id)
               l.tenant_id, l.id, l.contact_id as parent_id, l.created_at, l.updated_at,
               s.student_code as student, s.full_name as student_name
          from student_contacts l
          join students s on s.tenant_id = l.tenant_id and s.id = l.student_id
         order by l.tenant_id, l.contact_id, l.student_id, l.created_at, l.id) d;

create view student_applicant_records with (security_invoker = true) as
select a.tenant_id, a.id, a.application_code as name, a.owner, a.modified_by, 0::smallint as docstatus,
       a.created_at, a.updated_at, a.version,
       first_name_of(a.given_names, a.middle_name, a.full_name) as first_name,
       middle_name_of(a.given_names, a.middle_name) as middle_name,
       a.family_names as last_name,
       a.naming_series, a.application_date,
       case t.category when 'open' then 'Applied' when 'accepted' then 'Approved' when 'enrolled' then 'Admitted'
                       else 'Rejected' end as application_status,
       coalesce(p.name, nullif(a.program, '')) as program,
       a.email as student_email_id, a.student_admission, a.student_category, a.photo_url as image,
       a.academic_year, a.academic_period as academic_term, a.paid, a.full_name as title, a.amended_from,
       a.date_of_birth, a.gender, a.blood_group, a.phone as student_mobile_number, a.nationality,
       a.address as address_line_1, a.address_line_2, a.city, a.state_province as state, a.postal_code as pincode,
       a.country, s.student_code as student
  from admission_applications a
  join pipeline_statuses t on t.tenant_id = a.tenant_id and t.key = a.status
  left join programs p on p.tenant_id = a.tenant_id and p.id = a.program_id
  left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id;

-- Everybody linked to an application but the applicant, who is nobody's guardian.
create view applicant_guardian_rows with (security_invoker = true) as
select l.tenant_id, l.id, l.application_id as parent_id, row_name_of(l.id) as name,
       (select count(*) from application_contacts o
         where o.tenant_id = l.tenant_id and o.application_id = l.application_id and o.role <> 'applicant'
           and (coalesce(o.position, 2147483647), o.created_at, o.id)
            <= (coalesce(l.position, 2147483647), l.created_at, l.id))::integer as idx,
       'Administrator' as owner, 'Administrator' as modified_by, 0::smallint as docstatus, l.created_at, l.updated_at,
       c.code as guardian, c.display_name as guardian_name, relation_of(l.relationship_label) as relation
  from application_contacts l
  join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id
 where l.role <> 'applicant';

create view program_records with (security_invoker = true) as
select p.tenant_id, p.id, p.name, p.owner, p.modified_by, 0::smallint as docstatus,
       p.created_at, p.updated_at, p.version,
       p.name as program_name, p.department, p.hero_image, p.program_abbreviation
  from programs p;

create view program_course_rows with (security_invoker = true) as
select l.tenant_id, l.id, l.program_id as parent_id, row_name_of(l.id) as name,
       (select count(*) from program_courses o
         where o.tenant_id = l.tenant_id and o.program_id = l.program_id
           and (o.position, o.id) <= (l.position, l.id))::integer as idx,
       'Administrator' as owner, 'Administrator' as modified_by, 0::smallint as docstatus, l.created_at, l.updated_at,
       c.name as course, c.name as course_name, l.is_required::integer as required
  from program_courses l
  join courses c on c.tenant_id = l.tenant_id and c.id = l.course_id;

create view course_records with (security_invoker = true) as
select c.tenant_id, c.id, c.name, c.owner, c.modified_by, 0::smallint as docstatus,
       c.created_at, c.updated_at, c.version,
       c.name as course_name, c.department, c.hero_image, nullif(c.description, '') as description,
       c.default_grading_scale
  from courses c;
