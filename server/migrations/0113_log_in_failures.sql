-- migration: contract
-- Attempts are counted in attempt_counts.
drop table log_in_failures;
