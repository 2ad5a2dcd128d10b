-- What learning platforms have put into the gradebook by OneRoster, kept as it came. docs/adr/0056-oneroster.md says why.
create table gradebook_entries (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  -- The OneRoster class: category, lineItem, result, scoreScale, assessmentLineItem, assessmentResult.
  kind text not null,
  -- As the platform chose it.
  sourced_id text not null,
  -- The members that came, without sourcedId, status and dateLastModified; references are sourcedIds.
  content jsonb not null,
  class_id uuid,
  -- The record that stands for the student.
  student_id uuid,
  -- Of a result, the line item by its sourcedId.
  parent text,
  created_at timestamptz(3) not null default current_stamp(),
  updated_at timestamptz(3) not null default current_stamp(),
  constraint gradebook_entries_pkey primary key (tenant_id, id),
  constraint gradebook_entries_sourced_id_key unique (tenant_id, kind, sourced_id),
  constraint gradebook_entries_class_fkey foreign key (tenant_id, class_id)
    references student_groups (tenant_id, id) on delete cascade,
  constraint gradebook_entries_student_fkey foreign key (tenant_id, student_id)
    references students (tenant_id, id) on delete cascade
);
create index gradebook_entries_class_idx on gradebook_entries (tenant_id, class_id) where class_id is not null;
create index gradebook_entries_student_idx on gradebook_entries (tenant_id, student_id) where student_id is not null;
create index gradebook_entries_parent_idx on gradebook_entries (tenant_id, kind, parent) where parent is not null;
