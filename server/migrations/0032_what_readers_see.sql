-- What a sweep must see beside the change of a record's own row: that a record is gone, and that another record, of which it
-- shows something, reads differently now. docs/adr/0018-what-a-sweep-sees.md says how the two are used.

-- Records that are gone, so that whoever keeps a copy learns of it. Written with the change's audit row.
create table deleted_records (
  tenant_id uuid not null,
  entity_type text not null,
  -- The id that the record had. No other record ever gets it.
  id uuid not null,
  external_id text,
  deleted_at timestamptz(3) not null default current_stamp(),
  -- The record that it was merged into, where it was.
  merged_into uuid,
  constraint deleted_records_pkey primary key (tenant_id, entity_type, id)
);
create index deleted_records_deleted_at_idx on deleted_records (tenant_id, entity_type, deleted_at, id);

-- The event of a record that was merged names the one that it was merged into.
alter table events add column merged_into uuid;

-- When something last changed of a row that other records show; null while nothing has. Those count as updated at that moment.
alter table students add column shown_at timestamptz(3);
alter table admission_applications add column shown_at timestamptz(3);
alter table programs add column shown_at timestamptz(3);
alter table document_types add column shown_at timestamptz(3);
alter table form_templates add column shown_at timestamptz(3);
-- A template shows how many submissions it has.
alter table form_submission_counts add column shown_at timestamptz(3);

create index students_shown_at_idx on students (tenant_id, shown_at) where shown_at is not null;
create index admission_applications_shown_at_idx
  on admission_applications (tenant_id, shown_at) where shown_at is not null;

create function stamp_what_is_shown() returns trigger language plpgsql
  as $$
    begin
      new.shown_at := greatest(current_stamp(), old.shown_at);
      return new;
    end
  $$;

-- Triggers, so that no way of changing a row can forget it.
create trigger students_shown before update on students for each row
  when ((old.full_name, old.student_code) is distinct from (new.full_name, new.student_code))
  execute function stamp_what_is_shown();
create trigger admission_applications_shown before update on admission_applications for each row
  when (old.full_name is distinct from new.full_name)
  execute function stamp_what_is_shown();
create trigger programs_shown before update on programs for each row
  when ((old.name, old.education_level, old.organization_profile, old.status)
        is distinct from (new.name, new.education_level, new.organization_profile, new.status))
  execute function stamp_what_is_shown();
create trigger document_types_shown before update on document_types for each row
  when ((old.key, old.name) is distinct from (new.key, new.name))
  execute function stamp_what_is_shown();
create trigger form_templates_shown before update on form_templates for each row
  when (old.name is distinct from new.name)
  execute function stamp_what_is_shown();
