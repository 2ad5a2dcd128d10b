-- migration: concurrently
create index concurrently if not exists search_entries_named_idx on search_entries using gin (tenant_id, named gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 256);
