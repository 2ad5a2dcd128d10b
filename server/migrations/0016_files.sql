-- What clients of the Resource and Method API upload. A stored file is where the bytes are: on its way until its record is
-- written, discarded when its last record is gone. Its bytes are kept under its id beside those of the vault.
create table stored_files (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  state text not null constraint stored_files_state_check check (state in ('arriving', 'kept', 'discarded')),
  file_url text,
  file_name text,
  mime_type text,
  size_bytes integer,
  content_hash text,
  is_private boolean not null,
  created_at timestamptz(3) not null default current_stamp(),
  constraint stored_files_pkey primary key (tenant_id, id),
  constraint stored_files_kept_check check (
    state <> 'kept'
    or (file_url is not null and file_name is not null and mime_type is not null
        and size_bytes is not null and content_hash is not null))
);
create unique index stored_files_file_url_key on stored_files (tenant_id, file_url) where state = 'kept';
create index stored_files_unkept_idx on stored_files (tenant_id, created_at) where state <> 'kept';

create table files (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint files_docstatus_check check (docstatus in (0, 1, 2)),
  file_name text,
  file_url text,
  is_private smallint not null default 0,
  file_size integer not null default 0,
  file_type text,
  content_hash text,
  folder text,
  is_folder smallint not null default 0,
  attached_to_doctype text,
  attached_to_name text,
  attached_to_field text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint files_pkey primary key (tenant_id, id),
  constraint files_name_key unique (tenant_id, name)
);
create index files_created_at_idx on files (tenant_id, created_at);
create index files_updated_at_idx on files (tenant_id, updated_at);
create index files_file_url_idx on files (tenant_id, file_url);
create index files_attached_idx on files (tenant_id, attached_to_doctype, attached_to_name);
