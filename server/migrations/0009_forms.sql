-- What the institution asks of people on a page of its own.
create table form_templates (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key text not null
    constraint form_templates_key_check check (key ~ '^[a-z][a-z0-9_-]*$' and length(key) between 2 and 64),
  name text not null,
  description text not null default '',
  category text not null default '',
  status text not null
    constraint form_templates_status_check check (status in ('draft', 'published', 'archived')),
  is_public boolean not null default false,
  current_version integer not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint form_templates_pkey primary key (tenant_id, id),
  constraint form_templates_key_key unique (tenant_id, key)
);
create index form_templates_created_at_idx on form_templates (tenant_id, created_at, id);
create index form_templates_updated_at_idx on form_templates (tenant_id, updated_at, created_at, id);
create index form_templates_status_idx on form_templates (tenant_id, status, created_at, id);

-- The questions of a template. A version that was published once never changes: other questions are another version.
create table form_template_versions (
  tenant_id uuid not null,
  template_id uuid not null,
  version_number integer not null constraint form_template_versions_number_check check (version_number > 0),
  entity_type text not null
    constraint form_template_versions_entity_type_check check (entity_type in ('student', 'application', 'none')),
  sections jsonb not null,
  fields jsonb not null,
  -- Which field of an application an answer becomes, by the key of the question.
  mapping jsonb not null default '{}',
  published_at timestamptz(3),
  created_at timestamptz(3) not null default current_stamp(),
  constraint form_template_versions_pkey primary key (tenant_id, template_id, version_number),
  constraint form_template_versions_template_fkey foreign key (tenant_id, template_id)
    references form_templates (tenant_id, id)
);
alter table form_templates
  add constraint form_templates_current_version_fkey foreign key (tenant_id, id, current_version)
  references form_template_versions (tenant_id, template_id, version_number) deferrable initially deferred;

create table form_submissions (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  template_id uuid not null,
  template_version integer not null,
  student_id uuid,
  application_id uuid,
  status text not null default 'submitted'
    constraint form_submissions_status_check check (status in ('submitted', 'processed', 'withdrawn')),
  -- The questions as they were put, each with its answer.
  answers jsonb not null,
  submitter_name text not null default '',
  submitter_email text,
  source text not null
    constraint form_submissions_source_check check (source in ('public_form', 'staff', 'import')),
  -- One opening of the page: however often it is sent, it makes one submission.
  session_key text,
  submitted_at timestamptz(3) not null default current_stamp(),
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint form_submissions_pkey primary key (tenant_id, id),
  constraint form_submissions_session_key unique (tenant_id, template_id, session_key),
  constraint form_submissions_entity_check check (num_nonnulls(student_id, application_id) <= 1),
  constraint form_submissions_version_fkey foreign key (tenant_id, template_id, template_version)
    references form_template_versions (tenant_id, template_id, version_number),
  constraint form_submissions_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id),
  constraint form_submissions_application_fkey foreign key (tenant_id, application_id)
    references admission_applications (tenant_id, id)
);
create index form_submissions_created_at_idx on form_submissions (tenant_id, created_at, id);
create index form_submissions_updated_at_idx on form_submissions (tenant_id, updated_at, created_at, id);
create index form_submissions_status_idx on form_submissions (tenant_id, status, created_at, id);
create index form_submissions_template_idx on form_submissions (tenant_id, template_id, created_at, id);
create index form_submissions_student_idx on form_submissions (tenant_id, student_id) where student_id is not null;
create index form_submissions_application_idx
  on form_submissions (tenant_id, application_id) where application_id is not null;

-- The documents that an answer consists of.
create table form_submission_files (
  tenant_id uuid not null,
  submission_id uuid not null,
  document_id uuid not null,
  field_key text not null,
  position integer not null,
  constraint form_submission_files_pkey primary key (tenant_id, submission_id, document_id),
  constraint form_submission_files_submission_fkey foreign key (tenant_id, submission_id)
    references form_submissions (tenant_id, id),
  constraint form_submission_files_document_fkey foreign key (tenant_id, document_id) references documents (tenant_id, id)
);
create index form_submission_files_document_idx on form_submission_files (tenant_id, document_id);

-- How many submissions a template has, in shards so that those who submit do not queue for one row.
create table form_submission_counts (
  tenant_id uuid not null,
  template_id uuid not null,
  shard smallint not null,
  count bigint not null,
  constraint form_submission_counts_pkey primary key (tenant_id, template_id, shard),
  constraint form_submission_counts_template_fkey foreign key (tenant_id, template_id)
    references form_templates (tenant_id, id)
) with (fillfactor = 50);

alter table pipeline_statuses add column version integer not null default 1;
alter table requirement_profiles add column version integer not null default 1;
