-- No plan asks what these columns have in common, and of the tables that grow with each write they are the widest: to analyse the JSON of
-- thirty thousand entries took PostgreSQL more than half a second, every ten seconds of a first sync.
alter table audit_entries alter column before set statistics 0, alter column after set statistics 0,
  alter column actor_name set statistics 0, alter column request_id set statistics 0, alter column address set statistics 0;
alter table events alter column id set statistics 0, alter column external_id set statistics 0,
  alter column actor_type set statistics 0, alter column actor_id set statistics 0, alter column actor_name set statistics 0,
  alter column request_id set statistics 0, alter column merged_into set statistics 0;
alter table idempotency_keys alter column fingerprint set statistics 0, alter column body set statistics 0,
  alter column location set statistics 0, alter column entity_tag set statistics 0;
