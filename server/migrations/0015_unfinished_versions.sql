-- Versions that wait for their file, and those whose file was refused: few, and looked for again and again.
create index document_versions_unfinished_idx
  on document_versions (tenant_id, status, created_at) where status in ('pending', 'failed');
