-- What is done with many records, and with each of them.
create table bulk_jobs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  type text not null,
  action text not null constraint bulk_jobs_action_check check (action in ('update', 'submit', 'cancel', 'delete', 'undo')),
  changes jsonb not null default '{}',
  status text not null default 'queued'
    constraint bulk_jobs_status_check check (status in ('queued', 'running', 'done', 'cancelled')),
  undoes uuid,
  user_id uuid not null,
  user_name text not null,
  address text,
  total integer not null,
  done integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  finished_at timestamptz(3),
  constraint bulk_jobs_pkey primary key (tenant_id, id)
);
create index bulk_jobs_open_idx on bulk_jobs (tenant_id, created_at, id) where status in ('queued', 'running');
create index bulk_jobs_created_at_idx on bulk_jobs (tenant_id, created_at, id);
create unique index bulk_jobs_undoes_key on bulk_jobs (tenant_id, undoes) where undoes is not null;

create table bulk_job_items (
  tenant_id uuid not null,
  job_id uuid not null,
  place integer not null,
  type text not null,
  name text not null,
  status text not null default 'waiting'
    constraint bulk_job_items_status_check check (status in ('waiting', 'done', 'refused')),
  fault_code text,
  fault text,
  -- What the changed fields were, and the version that the change made, by which it is undone.
  before jsonb,
  made_version text,
  constraint bulk_job_items_pkey primary key (tenant_id, job_id, place),
  constraint bulk_job_items_job_fkey foreign key (tenant_id, job_id) references bulk_jobs (tenant_id, id) on delete cascade
);
create index bulk_job_items_status_idx on bulk_job_items (tenant_id, job_id, status, place);
create index bulk_job_items_name_idx on bulk_job_items (tenant_id, type, name);
