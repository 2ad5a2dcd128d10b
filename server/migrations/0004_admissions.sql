create table pipeline_statuses (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key text not null
    constraint pipeline_statuses_key_check check (key ~ '^[a-z][a-z0-9_-]*$' and length(key) between 2 and 64),
  label text not null,
  description text not null default '',
  category text not null
    constraint pipeline_statuses_category_check
    check (category in ('open', 'accepted', 'rejected', 'withdrawn', 'enrolled')),
  position integer not null,
  color text not null,
  is_initial boolean not null default false,
  is_terminal boolean not null default false,
  is_active boolean not null default true,
  -- Null permits any move.
  allowed_next text[],
  requires_complete boolean not null default false,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint pipeline_statuses_pkey primary key (tenant_id, id),
  constraint pipeline_statuses_key_key unique (tenant_id, key)
);
create unique index pipeline_statuses_initial_key on pipeline_statuses (tenant_id) where is_initial;

create table admission_applications (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  application_code text not null,
  full_name text not null,
  given_names text,
  family_names text,
  program_id uuid,
  program text not null default '',
  status text not null,
  email text,
  phone text,
  country text,
  state_province text,
  city text,
  address text,
  academic_year text,
  academic_period text,
  photo_url text,
  student_id uuid,
  custom_fields jsonb not null default '{}',
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint admission_applications_pkey primary key (tenant_id, id),
  constraint admission_applications_code_key unique (tenant_id, application_code),
  constraint admission_applications_status_fkey foreign key (tenant_id, status)
    references pipeline_statuses (tenant_id, key),
  constraint admission_applications_program_fkey foreign key (tenant_id, program_id) references programs (tenant_id, id),
  constraint admission_applications_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id)
);
create unique index admission_applications_external_id_key
  on admission_applications (tenant_id, external_id) where external_id is not null;
create index admission_applications_created_at_idx on admission_applications (tenant_id, created_at, id);
create index admission_applications_updated_at_idx on admission_applications (tenant_id, updated_at, created_at, id);
create index admission_applications_status_idx on admission_applications (tenant_id, status, created_at, id);
create index admission_applications_student_idx
  on admission_applications (tenant_id, student_id) where student_id is not null;
create index admission_applications_program_idx
  on admission_applications (tenant_id, program_id) where program_id is not null;

create table application_contacts (
  tenant_id uuid not null,
  id uuid not null,
  application_id uuid not null,
  contact_id uuid not null,
  role text not null
    constraint application_contacts_role_check
    check (role in ('applicant', 'primary_contact', 'family', 'emergency', 'billing', 'other')),
  relationship_label text,
  is_primary boolean not null default false,
  source text not null
    constraint application_contacts_source_check
    check (source in ('manual', 'import', 'api', 'whatsapp', 'form', 'system')),
  metadata jsonb not null default '{}',
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint application_contacts_pkey primary key (tenant_id, id),
  constraint application_contacts_role_key unique (tenant_id, application_id, contact_id, role),
  constraint application_contacts_application_fkey foreign key (tenant_id, application_id)
    references admission_applications (tenant_id, id),
  constraint application_contacts_contact_fkey foreign key (tenant_id, contact_id) references contacts (tenant_id, id)
);
create unique index application_contacts_primary_key
  on application_contacts (tenant_id, application_id) where is_primary;
create index application_contacts_contact_idx on application_contacts (tenant_id, contact_id);

-- Every move of an application through the pipeline, its start included.
create table application_moves (
  tenant_id uuid not null,
  id uuid not null,
  application_id uuid not null,
  from_status text,
  to_status text not null,
  actor_type text not null,
  actor_id uuid,
  actor_name text not null,
  moved_at timestamptz(3) not null default current_stamp(),
  constraint application_moves_pkey primary key (tenant_id, id),
  constraint application_moves_application_fkey foreign key (tenant_id, application_id)
    references admission_applications (tenant_id, id)
);
create index application_moves_application_idx on application_moves (tenant_id, application_id, moved_at);
