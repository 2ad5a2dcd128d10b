-- migration: concurrently
-- The applicants of a program in the order in which they were changed, whether the program is kept by its id or by a text.
create index concurrently if not exists admission_applications_program_id_updated_at_idx
  on admission_applications (tenant_id, program_id, updated_at, id) where program_id is not null;
drop index concurrently if exists admission_applications_program_idx;

create index concurrently if not exists admission_applications_program_updated_at_idx
  on admission_applications (tenant_id, program, updated_at, id) where program_id is null and program <> '';
drop index concurrently if exists admission_applications_program_text_idx;
