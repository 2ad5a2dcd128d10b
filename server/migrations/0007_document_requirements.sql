-- Which documents the institution asks of whom.
create table requirement_profiles (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key text not null
    constraint requirement_profiles_key_check check (key ~ '^[a-z][a-z0-9_-]*$' and length(key) between 2 and 64),
  name text not null,
  description text not null default '',
  applies_to text not null
    constraint requirement_profiles_applies_to_check check (applies_to in ('student', 'application')),
  -- Each list that is not empty must hold the record's value.
  program_ids uuid[] not null default '{}',
  education_levels text[] not null default '{}',
  statuses text[] not null default '{}',
  countries text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint requirement_profiles_pkey primary key (tenant_id, id),
  constraint requirement_profiles_key_key unique (tenant_id, key)
);

create table requirements (
  tenant_id uuid not null,
  id uuid not null,
  profile_id uuid not null,
  document_type_id uuid not null,
  label text not null,
  instructions text not null default '',
  is_required boolean not null default true,
  min_files integer not null default 1 constraint requirements_min_files_check check (min_files > 0),
  -- Days from the creation of the student or the application; null for no date.
  due_days integer constraint requirements_due_days_check check (due_days >= 0),
  position integer not null,
  constraint requirements_pkey primary key (tenant_id, id),
  constraint requirements_profile_fkey foreign key (tenant_id, profile_id)
    references requirement_profiles (tenant_id, id),
  constraint requirements_type_fkey foreign key (tenant_id, document_type_id) references document_types (tenant_id, id)
);
create index requirements_profile_idx on requirements (tenant_id, profile_id, position);

-- A requirement that one student or one application is excused from.
create table requirement_waivers (
  tenant_id uuid not null,
  id uuid not null,
  requirement_id uuid not null,
  student_id uuid,
  application_id uuid,
  created_at timestamptz(3) not null default current_stamp(),
  constraint requirement_waivers_pkey primary key (tenant_id, id),
  constraint requirement_waivers_owner_check check (num_nonnulls(student_id, application_id) = 1),
  constraint requirement_waivers_student_key unique (tenant_id, requirement_id, student_id),
  constraint requirement_waivers_application_key unique (tenant_id, requirement_id, application_id),
  constraint requirement_waivers_requirement_fkey foreign key (tenant_id, requirement_id)
    references requirements (tenant_id, id),
  constraint requirement_waivers_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id),
  constraint requirement_waivers_application_fkey foreign key (tenant_id, application_id)
    references admission_applications (tenant_id, id)
);
