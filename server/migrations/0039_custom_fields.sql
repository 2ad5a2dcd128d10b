-- Fields that institutions add to types of records: docs/adr/0022-custom-fields.md.

create table custom_fields (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint custom_fields_docstatus_check check (docstatus in (0, 1, 2)),
  dt text,
  label text,
  fieldname text,
  insert_after text,
  fieldtype text,
  options text,
  reqd smallint not null default 0,
  "unique" smallint not null default 0,
  "default" text,
  description text,
  read_only smallint not null default 0,
  hidden smallint not null default 0,
  in_list_view smallint not null default 0,
  allow_on_submit smallint not null default 0,
  no_copy smallint not null default 0,
  precision text,
  -- Where the records are kept that have the field, and where those are read from that it names.
  record_table text,
  target_relation text,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null default current_stamp(),
  updated_at timestamp(3) with time zone not null default current_stamp(),
  constraint custom_fields_pkey primary key (tenant_id, id),
  constraint custom_fields_name_key unique (tenant_id, name)
);
create unique index custom_fields_any_case_key on custom_fields (tenant_id, name collate any_case);
create index custom_fields_created_at_idx on custom_fields (tenant_id, created_at);
create index custom_fields_updated_at_idx on custom_fields (tenant_id, updated_at);
create index custom_fields_record_table_idx on custom_fields (tenant_id, record_table, fieldname);

-- What records have in those fields, to be found by. It follows `custom_fields` of the records, which alone are the truth.
create table custom_field_values (
  tenant_id uuid not null,
  field_id uuid not null,
  record_id uuid not null,
  -- Texts, dates, moments and times; null for a long text.
  text_value text collate "C",
  number_value numeric,
  constraint custom_field_values_pkey primary key (tenant_id, field_id, record_id),
  constraint custom_field_values_field_fkey foreign key (tenant_id, field_id)
    references custom_fields (tenant_id, id) on delete cascade
);
create index custom_field_values_text_idx on custom_field_values (tenant_id, field_id, text_value, record_id)
  where text_value is not null;
create index custom_field_values_number_idx on custom_field_values (tenant_id, field_id, number_value, record_id)
  where number_value is not null;
create index custom_field_values_record_idx on custom_field_values (tenant_id, record_id);

-- The number among the custom fields of a record; null where there is none, or something else than a number.
create function custom_number(fields jsonb, name text) returns numeric language sql immutable parallel safe
  as $$ select case when jsonb_typeof(fields -> name) = 'number' then (fields ->> name)::numeric end $$;

-- What can be looked for of a text.
create function custom_text(value jsonb) returns text language sql immutable parallel safe
  as $$ select case when jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 255 then value #>> '{}' end $$;

-- Triggers on every table with a column `custom_fields`, made by the machinery of migrations.
create function keep_custom_field_values() returns trigger language plpgsql
  as $$
    begin
      if tg_op <> 'INSERT' then
        delete from custom_field_values where tenant_id = old.tenant_id and record_id = old.id;
      end if;
      if tg_op <> 'DELETE' then
        insert into custom_field_values (tenant_id, field_id, record_id, text_value, number_value)
        select new.tenant_id, f.id, new.id, custom_text(v.value), custom_number(new.custom_fields, v.key)
          from jsonb_each(new.custom_fields) v
          join custom_fields f
            on f.tenant_id = new.tenant_id and f.record_table = tg_table_name and f.fieldname = v.key;
      end if;
      return null;
    end
  $$;

-- Whoever looks a tenant up learns when its fields last changed; null while it has none.
alter table tenants add column custom_fields_at timestamptz(3);

-- The service's role changes no tenant, so this runs as the owner.
create function note_custom_fields() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare tenant uuid := coalesce(new.tenant_id, old.tenant_id);
    begin
      update tenants t
         set custom_fields_at = case
               when exists (select from custom_fields f where f.tenant_id = tenant)
               then greatest(current_stamp(), t.custom_fields_at + interval '1 millisecond')
             end
       where t.id = tenant;
      return null;
    end
  $$;
create trigger custom_fields_noted after insert or update or delete on custom_fields
  for each row execute function note_custom_fields();

drop function authenticate_api_key(bytea);
-- Finds what a secret opens before the tenant is known: the one look-up across tenants, so it runs as the owner.
create function authenticate_api_key(hash bytea)
  returns table (
    tenant_id uuid, tenant_slug text, tenant_name text, tenant_status text, time_zone text, currency text,
    enabled_modules text[], sor_students text, sor_enrollment text, sor_payments text, custom_fields_at timestamptz,
    api_key_id uuid, api_key_name text, kind text, scopes text[], master_domains text[], roles text[],
    requests_per_minute integer, revoked_at timestamptz, secret_id uuid, expires_at timestamptz, last_used_at timestamptz
  )
  language sql stable security definer set search_path = pg_catalog, public
  as $$
    select t.id, t.slug, t.name, t.status, t.time_zone, t.currency,
           t.enabled_modules, t.sor_students, t.sor_enrollment, t.sor_payments, t.custom_fields_at,
           k.id, k.name, k.kind, k.scopes, k.master_domains, k.roles,
           k.requests_per_minute, k.revoked_at, s.id, s.expires_at, s.last_used_at
      from api_key_secrets s
      join api_keys k on k.tenant_id = s.tenant_id and k.id = s.api_key_id
      join tenants t on t.id = s.tenant_id
     where s.secret_hash = hash
     limit 1
  $$;

-- Students and applications have such a column already, for what integrators keep there.
alter table contacts add column custom_fields jsonb;
alter table payments add column custom_fields jsonb;
alter table programs add column custom_fields jsonb;
alter table courses add column custom_fields jsonb;
alter table academic_terms add column custom_fields jsonb;
alter table academic_years add column custom_fields jsonb;
alter table accounts add column custom_fields jsonb;
alter table articles add column custom_fields jsonb;
alter table assessment_criteria add column custom_fields jsonb;
alter table assessment_criteria_groups add column custom_fields jsonb;
alter table assessment_groups add column custom_fields jsonb;
alter table assessment_plans add column custom_fields jsonb;
alter table assessment_results add column custom_fields jsonb;
alter table assessment_result_tools add column custom_fields jsonb;
alter table comments add column custom_fields jsonb;
alter table companies add column custom_fields jsonb;
alter table cost_centers add column custom_fields jsonb;
alter table countries add column custom_fields jsonb;
alter table course_activities add column custom_fields jsonb;
alter table course_enrollments add column custom_fields jsonb;
alter table course_schedules add column custom_fields jsonb;
alter table course_scheduling_tools add column custom_fields jsonb;
alter table currencies add column custom_fields jsonb;
alter table departments add column custom_fields jsonb;
alter table designations add column custom_fields jsonb;
alter table education_settings add column custom_fields jsonb;
alter table email_groups add column custom_fields jsonb;
alter table email_group_members add column custom_fields jsonb;
alter table employees add column custom_fields jsonb;
alter table fee_categories add column custom_fields jsonb;
alter table fee_schedules add column custom_fields jsonb;
alter table fee_structures add column custom_fields jsonb;
alter table fees add column custom_fields jsonb;
alter table files add column custom_fields jsonb;
alter table genders add column custom_fields jsonb;
alter table grading_scales add column custom_fields jsonb;
alter table holiday_lists add column custom_fields jsonb;
alter table instructors add column custom_fields jsonb;
alter table languages add column custom_fields jsonb;
alter table payment_records add column custom_fields jsonb;
alter table program_enrollments add column custom_fields jsonb;
alter table program_enrollment_tools add column custom_fields jsonb;
alter table questions add column custom_fields jsonb;
alter table quizzes add column custom_fields jsonb;
alter table quiz_activities add column custom_fields jsonb;
alter table rooms add column custom_fields jsonb;
alter table school_houses add column custom_fields jsonb;
alter table student_admissions add column custom_fields jsonb;
alter table student_attendances add column custom_fields jsonb;
alter table student_attendance_tools add column custom_fields jsonb;
alter table student_batch_names add column custom_fields jsonb;
alter table student_categories add column custom_fields jsonb;
alter table student_groups add column custom_fields jsonb;
alter table student_group_creation_tools add column custom_fields jsonb;
alter table student_languages add column custom_fields jsonb;
alter table student_leave_applications add column custom_fields jsonb;
alter table student_logs add column custom_fields jsonb;
alter table student_report_generation_tools add column custom_fields jsonb;
alter table todos add column custom_fields jsonb;
alter table topics add column custom_fields jsonb;
alter table roles add column custom_fields jsonb;
alter table users add column custom_fields jsonb;

create or replace view student_records with (security_invoker = true) as
select s.tenant_id, s.id, s.student_code as name, s.owner, s.modified_by, 0::smallint as docstatus,
       s.created_at, s.updated_at, s.version,
       s.enabled,
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
       s.reason_for_leaving, s.full_name as student_name,
       s.custom_fields
  from students s;

create or replace view guardian_records with (security_invoker = true) as
select c.tenant_id, c.id, c.code as name, c.owner, c.modified_by, 0::smallint as docstatus,
       c.created_at, c.updated_at, c.version,
       c.display_name as guardian_name, c.email as email_address, c.phone as mobile_number, c.alternate_number,
       c.date_of_birth, c.user_name as "user", c.education, c.occupation, c.designation, c.work_address, c.image,
       c.custom_fields
  from contacts c;

create or replace view student_applicant_records with (security_invoker = true) as
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
       a.country, s.student_code as student,
       a.program_id, a.program as program_text,
       a.custom_fields
  from admission_applications a
  join pipeline_statuses t on t.tenant_id = a.tenant_id and t.key = a.status
  left join programs p on p.tenant_id = a.tenant_id and p.id = a.program_id
  left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id;

create or replace view program_records with (security_invoker = true) as
select p.tenant_id, p.id, p.name, p.owner, p.modified_by, 0::smallint as docstatus,
       p.created_at, p.updated_at, p.version,
       p.name as program_name, p.department, p.hero_image, p.program_abbreviation, p.allow_self_enroll,
       p.custom_fields
  from programs p;

create or replace view course_records with (security_invoker = true) as
select c.tenant_id, c.id, c.name, c.owner, c.modified_by, 0::smallint as docstatus,
       c.created_at, c.updated_at, c.version,
       c.name as course_name, c.department, c.hero_image, nullif(c.description, '') as description,
       c.default_grading_scale,
       c.custom_fields
  from courses c;
