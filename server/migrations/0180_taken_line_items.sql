-- Line items of learning platforms that the staff has taken over into Assessment Plans, as they were then.
create table taken_line_items (
  tenant_id uuid not null,
  -- The line item among gradebook_entries.
  id uuid not null,
  plan_id uuid not null,
  -- The members of the line item when it was last taken.
  content jsonb not null,
  taken_at timestamptz(3) not null default current_stamp(),
  constraint taken_line_items_pkey primary key (tenant_id, id),
  constraint taken_line_items_entry_fkey foreign key (tenant_id, id)
    references gradebook_entries (tenant_id, id) on delete cascade,
  constraint taken_line_items_plan_fkey foreign key (tenant_id, plan_id)
    references assessment_plans (tenant_id, id) on delete cascade
);
create index taken_line_items_plan_idx on taken_line_items (tenant_id, plan_id);

-- The results of these, as they were taken.
create table taken_results (
  tenant_id uuid not null,
  line_item_id uuid not null,
  student_id uuid not null,
  score numeric,
  score_status text,
  constraint taken_results_pkey primary key (tenant_id, line_item_id, student_id),
  constraint taken_results_line_item_fkey foreign key (tenant_id, line_item_id)
    references taken_line_items (tenant_id, id) on delete cascade,
  constraint taken_results_student_fkey foreign key (tenant_id, student_id)
    references students (tenant_id, id) on delete cascade
);
create index taken_results_student_idx on taken_results (tenant_id, student_id);
