-- People of the tenant who are not students: parents, guardians, payers.
create table contacts (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  display_name text not null,
  email text,
  phone text,
  -- Digits of the number with its leading plus, by which a person is found again however it is written.
  phone_digits text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint contacts_pkey primary key (tenant_id, id)
);
create index contacts_email_idx on contacts (tenant_id, lower(email)) where email is not null;
create index contacts_phone_idx on contacts (tenant_id, phone_digits) where phone_digits is not null;

create table students (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  student_code text not null,
  full_name text not null,
  given_names text,
  family_names text,
  preferred_name text,
  status text not null default 'active'
    constraint students_status_check check (status in ('active', 'inactive', 'graduated', 'withdrawn', 'suspended')),
  email text,
  phone text,
  date_of_birth date,
  gender text,
  nationality text,
  document_type text,
  document_number text,
  country text,
  state_province text,
  city text,
  address text,
  postal_code text,
  photo_url text,
  program_id uuid,
  program text not null default '',
  academic_year text,
  academic_period text,
  enrolled_at timestamptz(3),
  withdrawn_at timestamptz(3),
  custom_fields jsonb not null default '{}',
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint students_pkey primary key (tenant_id, id),
  constraint students_student_code_key unique (tenant_id, student_code),
  constraint students_program_fkey foreign key (tenant_id, program_id) references programs (tenant_id, id)
);
create unique index students_external_id_key on students (tenant_id, external_id) where external_id is not null;
create index students_created_at_idx on students (tenant_id, created_at, id);
create index students_updated_at_idx on students (tenant_id, updated_at, created_at, id);
create index students_status_idx on students (tenant_id, status, created_at, id);
create index students_email_idx on students (tenant_id, lower(email)) where email is not null;
create index students_program_idx on students (tenant_id, program_id) where program_id is not null;

-- Guardians and other contacts of a student.
create table student_contacts (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  contact_id uuid not null,
  role text not null
    constraint student_contacts_role_check
    check (role in ('applicant', 'primary_contact', 'family', 'emergency', 'billing', 'other')),
  relationship_label text,
  is_primary boolean not null default false,
  source text not null
    constraint student_contacts_source_check
    check (source in ('manual', 'import', 'api', 'whatsapp', 'form', 'system')),
  metadata jsonb not null default '{}',
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint student_contacts_pkey primary key (tenant_id, id),
  constraint student_contacts_role_key unique (tenant_id, student_id, contact_id, role),
  constraint student_contacts_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id),
  constraint student_contacts_contact_fkey foreign key (tenant_id, contact_id) references contacts (tenant_id, id)
);
create unique index student_contacts_primary_key on student_contacts (tenant_id, student_id) where is_primary;
create index student_contacts_contact_idx on student_contacts (tenant_id, contact_id);
