-- A bulk job may ask families for documents.
alter table bulk_jobs drop constraint bulk_jobs_action_check;
alter table bulk_jobs add constraint bulk_jobs_action_check
  check (action in ('update', 'submit', 'cancel', 'delete', 'undo', 'ask')) not valid;
