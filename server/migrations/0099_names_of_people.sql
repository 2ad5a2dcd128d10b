-- migration: concurrently
-- The names by which those find people who may not read all that they are known by; of payments and documents nobody asks for names.
create index concurrently if not exists search_entries_people_idx on search_entries using gin (tenant_id, named gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 256)
  where kind in ('student', 'applicant', 'guardian', 'employee', 'instructor');
drop index concurrently if exists search_entries_named_idx;
