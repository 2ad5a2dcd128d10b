-- How long documents of a type are kept, and applications that ended in a status; null for ever. `matricula retention` acts on it.
alter table document_types add column retention_days integer;
alter table pipeline_statuses add column retention_days integer;
