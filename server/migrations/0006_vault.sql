create table document_types (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key text not null
    constraint document_types_key_check check (key ~ '^[a-z][a-z0-9_-]*$' and length(key) between 2 and 64),
  name text not null,
  description text not null default '',
  category text not null,
  applies_to text[] not null
    constraint document_types_applies_to_check check (applies_to <@ array['student', 'application']),
  allowed_mime_types text[] not null,
  max_size_bytes bigint not null constraint document_types_max_size_check check (max_size_bytes > 0),
  requires_review boolean not null default true,
  -- Null: documents of this type do not expire by themselves.
  validity_days integer constraint document_types_validity_check check (validity_days > 0),
  is_sensitive boolean not null default false,
  is_active boolean not null default true,
  position integer not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint document_types_pkey primary key (tenant_id, id),
  constraint document_types_key_key unique (tenant_id, key)
);

create table documents (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  external_id text,
  document_type_id uuid not null,
  title text not null,
  description text not null default '',
  status text not null
    constraint documents_status_check
    check (status in ('pending_upload', 'uploaded', 'in_review', 'approved', 'rejected', 'expired', 'archived')),
  issued_at timestamptz(3),
  expires_at timestamptz(3),
  reviewed_at timestamptz(3),
  reviewed_by text,
  rejection_reason text,
  source text not null
    constraint documents_source_check check (source in ('api', 'staff', 'public_request', 'form', 'import')),
  request_id uuid,
  metadata jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint documents_pkey primary key (tenant_id, id),
  constraint documents_type_fkey foreign key (tenant_id, document_type_id) references document_types (tenant_id, id)
);
create unique index documents_external_id_key on documents (tenant_id, external_id) where external_id is not null;
create index documents_created_at_idx on documents (tenant_id, created_at, id);
create index documents_updated_at_idx on documents (tenant_id, updated_at, created_at, id);
create index documents_status_idx on documents (tenant_id, status, created_at, id);
create index documents_type_idx on documents (tenant_id, document_type_id, created_at, id);
create index documents_request_idx on documents (tenant_id, request_id) where request_id is not null;
create index documents_expiry_idx on documents (tenant_id, expires_at) where status = 'approved' and expires_at is not null;

create table document_versions (
  tenant_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  version_number integer not null constraint document_versions_number_check check (version_number > 0),
  status text not null
    constraint document_versions_status_check check (status in ('pending', 'ready', 'failed', 'quarantined')),
  file_name text not null,
  mime_type text not null,
  size_bytes bigint not null,
  -- As announced, or null, until the file is there; then the file's own.
  checksum_sha256 text constraint document_versions_checksum_check check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  uploaded_at timestamptz(3),
  failure_reason text,
  created_at timestamptz(3) not null default current_stamp(),
  constraint document_versions_pkey primary key (tenant_id, id),
  constraint document_versions_number_key unique (tenant_id, document_id, version_number),
  constraint document_versions_document_fkey foreign key (tenant_id, document_id) references documents (tenant_id, id)
);

-- The student or the application that a document belongs to.
create table document_links (
  tenant_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  student_id uuid,
  application_id uuid,
  created_at timestamptz(3) not null default current_stamp(),
  constraint document_links_pkey primary key (tenant_id, id),
  constraint document_links_owner_check check (num_nonnulls(student_id, application_id) = 1),
  constraint document_links_student_key unique (tenant_id, document_id, student_id),
  constraint document_links_application_key unique (tenant_id, document_id, application_id),
  constraint document_links_document_fkey foreign key (tenant_id, document_id) references documents (tenant_id, id),
  constraint document_links_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id),
  constraint document_links_application_fkey foreign key (tenant_id, application_id)
    references admission_applications (tenant_id, id)
);
create index document_links_student_idx on document_links (tenant_id, student_id) where student_id is not null;
create index document_links_application_idx
  on document_links (tenant_id, application_id) where application_id is not null;
