-- Lists of the Resource and Method API that are filtered and ordered as clients commonly do, read off an index.

-- Every order ends with the id, so that pages neither repeat nor skip a record.
do $$
declare
  kept record;
begin
  for kept in
    select i.indexrelid::regclass as index, c.relname as relation, a.attname as stamp
      from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      join pg_class n on n.oid = i.indexrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[1] and a.attname in ('created_at', 'updated_at')
      join pg_attribute t on t.attrelid = c.oid and t.attnum = i.indkey[0] and t.attname = 'tenant_id'
     where i.indnatts = 2 and i.indpred is null and n.relname = c.relname || '_' || a.attname || '_idx'
       and exists (select from pg_attribute d where d.attrelid = c.oid and d.attname = 'docstatus')
  loop
    execute format('drop index %s', kept.index);
    execute format('create index %I on %I (tenant_id, %I, id)',
                   kept.relation || '_' || kept.stamp || '_idx', kept.relation, kept.stamp);
  end loop;
end $$;

drop index gl_entries_account_idx;
create index gl_entries_account_idx on gl_entries (tenant_id, account, posting_date, id) where account is not null;
create index gl_entries_posting_date_idx on gl_entries (tenant_id, posting_date, id);

drop index student_attendances_student_idx;
create index student_attendances_student_idx on student_attendances (tenant_id, student, date, id) where student is not null;
create index student_attendances_date_idx on student_attendances (tenant_id, date, id);

create index fees_due_date_idx on fees (tenant_id, due_date, id);

create index students_family_names_idx on students (tenant_id, family_names) where family_names is not null;

-- Kept as a column, because under row-level security no index of an expression is used that PostgreSQL does not know to be
-- silent about what it sees.
alter table students
  add column enabled integer not null generated always as (case when status = 'active' then 1 else 0 end) stored;
create index students_enabled_idx on students (tenant_id, enabled, updated_at, id);

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
       s.reason_for_leaving, s.full_name as student_name
  from students s;

-- What the program of an applicant is kept as: the id of one, or a text that names none.
create index admission_applications_program_text_idx
  on admission_applications (tenant_id, program) where program_id is null and program <> '';

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
       a.program_id, a.program as program_text
  from admission_applications a
  join pipeline_statuses t on t.tenant_id = a.tenant_id and t.key = a.status
  left join programs p on p.tenant_id = a.tenant_id and p.id = a.program_id
  left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id;
