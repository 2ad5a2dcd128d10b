-- Files of rows that were imported, and what the imports left behind, by which a later one knows what people have corrected since.
-- docs/adr/0057-imports-and-exports.md says why.
create table import_runs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  kind text not null,
  file_name text not null,
  file_sha256 text not null,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  conflicts integer not null default 0,
  actor_type text not null,
  actor_id uuid,
  actor_name text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  undone_at timestamptz(3),
  undone integer,
  kept integer,
  constraint import_runs_pkey primary key (tenant_id, id)
);

-- A record that an import has made or read last: which row said so, and which version of the record it left.
create table imported_records (
  tenant_id uuid not null references tenants (id),
  kind text not null,
  record_id uuid not null,
  -- The key of a record that has no column for it.
  external_id text,
  row_digest text not null,
  version integer not null,
  imported_at timestamptz(3) not null,
  -- Fields that a person has corrected, and that the file says otherwise.
  corrected text[] not null default '{}',
  -- The run that made the record, and the version that it had then; null where it was there before.
  made_by uuid,
  made_version integer,
  constraint imported_records_pkey primary key (tenant_id, kind, record_id)
);
create unique index imported_records_external_id_key on imported_records (tenant_id, kind, external_id)
 where external_id is not null;
create index imported_records_made_by_idx on imported_records (tenant_id, made_by, record_id) where made_by is not null;

-- What a run has changed in records that were there before it: the fields as they were.
create table import_changes (
  tenant_id uuid not null references tenants (id),
  run_id uuid not null,
  record_id uuid not null,
  kind text not null,
  before jsonb not null,
  version_before integer not null,
  version_after integer not null,
  constraint import_changes_pkey primary key (tenant_id, run_id, record_id)
);
create index import_changes_record_idx on import_changes (tenant_id, record_id);
