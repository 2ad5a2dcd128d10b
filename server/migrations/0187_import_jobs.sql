-- Files that people import in the console: uploaded, checked, imported and undone. The file itself is in the storage, under the
-- id of the job, and goes with it.
create table import_jobs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  kind text not null,
  file_name text not null,
  file_sha256 text not null,
  size_bytes integer not null,
  format text not null constraint import_jobs_format_check check (format in ('csv', 'xlsx', 'ndjson')),
  sheet text,
  columns jsonb not null,
  mapping jsonb not null default '{}',
  status text not null default 'uploaded'
    constraint import_jobs_status_check check (
      status in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone', 'failed')),
  -- What its commit was asked for: the counts of the check, and whether faulty rows are skipped.
  expected jsonb,
  rows integer not null default 0,
  report jsonb,
  -- Under which id the refused rows are in the storage.
  refused_file_id uuid,
  run_id uuid,
  undone integer,
  kept jsonb not null default '[]',
  kept_count integer not null default 0,
  error text,
  -- Who uploaded it, and who asked for what is done with it.
  user_id uuid not null,
  user_name text not null,
  actor_id uuid not null,
  actor_name text not null,
  address text,
  -- When the process that works at it was last heard of.
  heard_at timestamptz(3),
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  finished_at timestamptz(3),
  constraint import_jobs_pkey primary key (tenant_id, id)
);
create index import_jobs_open_idx on import_jobs (tenant_id, id) where status in ('checking', 'importing', 'undoing');
create index import_jobs_created_at_idx on import_jobs (tenant_id, created_at, id);
