-- What OneRoster shows beside the records themselves. docs/adr/0056-oneroster.md says why.

alter table assessment_groups add column from_date date;
alter table assessment_groups add column to_date date;
alter table departments add column is_school smallint not null default 0;

-- How an institution shows its records. One without a row shows their ids.
create table roster_settings (
  tenant_id uuid not null references tenants (id),
  sourced_ids text not null default 'id' constraint roster_settings_sourced_ids_check check (sourced_ids in ('id', 'externalId')),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint roster_settings_pkey primary key (tenant_id)
);

-- A sourcedId that was given out, or that came with a bundle, where it is not the id of the record.
create table roster_ids (
  tenant_id uuid not null,
  -- The OneRoster class: org, academicSession, course, class, user, enrollment.
  kind text not null,
  id uuid not null,
  sourced_id text not null,
  constraint roster_ids_pkey primary key (tenant_id, kind, id),
  constraint roster_ids_sourced_id_key unique (tenant_id, kind, sourced_id)
);

-- Records that are gone, with what readers need to tell them from others. Without a foreign key: rows are added while a tenant goes.
create table roster_deletions (
  tenant_id uuid not null,
  -- The table that the record was in.
  kind text not null,
  id uuid not null,
  deleted_at timestamptz(3) not null default current_stamp(),
  record jsonb not null,
  constraint roster_deletions_pkey primary key (tenant_id, kind, id)
);
create index roster_deletions_deleted_at_idx on roster_deletions (tenant_id, deleted_at);

-- Keeps the columns that the trigger names.
create function record_roster_deletion() returns trigger language plpgsql
  as $$
    begin
      insert into roster_deletions (tenant_id, kind, id, record)
      values (old.tenant_id, tg_table_name, old.id,
              (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(to_jsonb(old)) where key = any (tg_argv)))
      on conflict on constraint roster_deletions_pkey
      do update set deleted_at = excluded.deleted_at, record = excluded.record;
      return null;
    end
  $$;

create trigger students_roster_deleted after delete on students for each row
  execute function record_roster_deletion('external_id', 'student_code', 'full_name', 'given_names', 'middle_name', 'family_names');
create trigger instructors_roster_deleted after delete on instructors for each row
  execute function record_roster_deletion('name', 'instructor_name');
create trigger contacts_roster_deleted after delete on contacts for each row
  execute function record_roster_deletion('code', 'display_name');
create trigger users_roster_deleted after delete on users for each row
  execute function record_roster_deletion('name', 'username', 'first_name', 'last_name', 'full_name', 'user_type');
create trigger courses_roster_deleted after delete on courses for each row
  execute function record_roster_deletion('external_id', 'code', 'name');
create trigger departments_roster_deleted after delete on departments for each row
  execute function record_roster_deletion('name', 'is_school');
create trigger academic_years_roster_deleted after delete on academic_years for each row
  execute function record_roster_deletion('name', 'year_start_date', 'year_end_date');
create trigger academic_terms_roster_deleted after delete on academic_terms for each row
  execute function record_roster_deletion('name', 'academic_year', 'term_start_date', 'term_end_date');
create trigger student_groups_roster_deleted after delete on student_groups for each row
  execute function record_roster_deletion('name', 'student_group_name', 'group_based_on', 'academic_year', 'academic_term',
                                          'program', 'course');

-- Of a membership, who and where by ids: a name may change later.
create function record_membership_deletion() returns trigger language plpgsql
  as $$
    declare
      member jsonb := to_jsonb(old);
      member_id uuid;
    begin
      if tg_table_name = 'student_groups_students' then
        select s.id into member_id from students s where s.tenant_id = old.tenant_id and s.student_code = member ->> 'student';
      else
        select i.id into member_id from instructors i where i.tenant_id = old.tenant_id and i.name = member ->> 'instructor';
      end if;
      insert into roster_deletions (tenant_id, kind, id, record)
      values (old.tenant_id, tg_table_name, old.id,
              jsonb_strip_nulls(jsonb_build_object('group_id', old.parent_id, 'member_id', member_id,
                                                   'from_date', member -> 'from_date', 'to_date', member -> 'to_date')))
      on conflict on constraint roster_deletions_pkey
      do update set deleted_at = excluded.deleted_at, record = excluded.record;
      return null;
    end
  $$;

create trigger student_groups_students_roster_deleted after delete on student_groups_students for each row
  execute function record_membership_deletion();
create trigger student_groups_instructors_roster_deleted after delete on student_groups_instructors for each row
  execute function record_membership_deletion();

-- A sourcedId that was an externalId stays when the externalId changes.
create function retain_sourced_id() returns trigger language plpgsql
  as $$
    begin
      if exists (select from roster_settings where tenant_id = old.tenant_id and sourced_ids = 'externalId')
         and old.external_id ~ '^[0-9A-Za-z./@_-]{1,255}$' then
        insert into roster_ids (tenant_id, kind, id, sourced_id)
        values (old.tenant_id, tg_argv[0], old.id, old.external_id)
        on conflict do nothing;
      end if;
      return null;
    end
  $$;

create trigger students_sourced_id_retained after update of external_id on students for each row
  when (old.external_id is distinct from new.external_id) execute function retain_sourced_id('user');
create trigger courses_sourced_id_retained after update of external_id on courses for each row
  when (old.external_id is distinct from new.external_id) execute function retain_sourced_id('course');
create trigger programs_sourced_id_retained after update of external_id on programs for each row
  when (old.external_id is distinct from new.external_id) execute function retain_sourced_id('course');
