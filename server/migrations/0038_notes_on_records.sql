-- What the staff say about records of any type.
create table comments (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint comments_docstatus_check check (docstatus in (0, 1, 2)),
  comment_type text,
  comment_email text,
  comment_by text,
  subject text,
  published smallint not null default 0,
  seen smallint not null default 0,
  reference_doctype text,
  reference_name text,
  content text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint comments_pkey primary key (tenant_id, id),
  constraint comments_name_key unique (tenant_id, name)
);
create unique index comments_any_case_key on comments (tenant_id, name collate any_case);
create index comments_created_at_idx on comments (tenant_id, created_at);
create index comments_updated_at_idx on comments (tenant_id, updated_at);
create index comments_reference_idx on comments (tenant_id, reference_doctype, reference_name, created_at);

-- The words under which they keep them.
create table tag_links (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  owner text not null default 'Administrator',
  modified_by text not null default 'Administrator',
  docstatus smallint not null default 0 constraint tag_links_docstatus_check check (docstatus in (0, 1, 2)),
  document_type text,
  document_name text,
  tag text,
  version integer not null default 1,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint tag_links_pkey primary key (tenant_id, id),
  constraint tag_links_name_key unique (tenant_id, name)
);
create unique index tag_links_any_case_key on tag_links (tenant_id, name collate any_case);
create index tag_links_created_at_idx on tag_links (tenant_id, created_at);
create index tag_links_updated_at_idx on tag_links (tenant_id, updated_at);
create index tag_links_document_idx on tag_links (tenant_id, document_type, document_name);

-- Tasks are looked for by the record that they are about, too.
create index todos_reference_idx on todos (tenant_id, reference_type, reference_name) where reference_name is not null;
