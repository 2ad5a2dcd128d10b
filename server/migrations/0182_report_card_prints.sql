-- Report cards of groups as one document each, and its bytes as they are made. They are kept for a day.
create table report_card_prints (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  student_group text not null,
  academic_year text not null,
  academic_term text,
  shows_marks boolean not null,
  only_complete boolean not null,
  status text not null default 'queued' constraint report_card_prints_status_check
    check (status in ('queued', 'running', 'done', 'cancelled', 'failed')),
  total integer not null default 0,
  done integer not null default 0,
  fault text,
  user_id uuid not null,
  user_name text not null,
  address text,
  -- Each start of the work has a run of its own, so that one that was taken for dead writes nothing more.
  run uuid,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  finished_at timestamptz(3),
  constraint report_card_prints_pkey primary key (tenant_id, id)
);
create index report_card_prints_open_idx on report_card_prints (tenant_id, created_at, id)
  where status in ('queued', 'running');
create index report_card_prints_created_at_idx on report_card_prints (tenant_id, created_at, id);

create table report_card_print_parts (
  tenant_id uuid not null,
  print_id uuid not null,
  position integer not null,
  bytes bytea not null,
  constraint report_card_print_parts_pkey primary key (tenant_id, print_id, position),
  constraint report_card_print_parts_print_fkey foreign key (tenant_id, print_id)
    references report_card_prints (tenant_id, id) on delete cascade
);
