create table programs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  code text not null default '',
  name text not null,
  description text not null default '',
  education_level text not null default '',
  organization_profile text not null default '',
  status text not null default 'active'
    constraint programs_status_check check (status in ('active', 'inactive', 'archived')),
  modality text,
  start_date date,
  end_date date,
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint programs_pkey primary key (tenant_id, id),
  constraint programs_name_key unique (tenant_id, name)
);
create unique index programs_external_id_key on programs (tenant_id, external_id) where external_id is not null;
create index programs_created_at_idx on programs (tenant_id, created_at, id);
create index programs_updated_at_idx on programs (tenant_id, updated_at, created_at, id);

create table courses (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  code text not null default '',
  name text not null,
  description text not null default '',
  credits numeric,
  hours numeric,
  status text not null default 'active'
    constraint courses_status_check check (status in ('active', 'inactive', 'archived')),
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint courses_pkey primary key (tenant_id, id),
  constraint courses_name_key unique (tenant_id, name)
);
create unique index courses_external_id_key on courses (tenant_id, external_id) where external_id is not null;
create index courses_created_at_idx on courses (tenant_id, created_at, id);
create index courses_updated_at_idx on courses (tenant_id, updated_at, created_at, id);

create table program_courses (
  tenant_id uuid not null,
  id uuid not null,
  program_id uuid not null,
  course_id uuid not null,
  position integer not null,
  is_required boolean not null default true,
  constraint program_courses_pkey primary key (tenant_id, id),
  constraint program_courses_program_course_key unique (tenant_id, program_id, course_id),
  constraint program_courses_program_fkey foreign key (tenant_id, program_id) references programs (tenant_id, id),
  constraint program_courses_course_fkey foreign key (tenant_id, course_id) references courses (tenant_id, id)
);
create index program_courses_course_idx on program_courses (tenant_id, course_id);
