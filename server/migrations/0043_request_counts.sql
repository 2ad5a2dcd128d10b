-- How often something was asked within a minute, counted over all processes: by page and address, by link, by failed token and
-- address. Only what is asked for often comes here. The key is a SHA-256, which shows neither address nor link.
-- It belongs to no tenant, because it is asked before anybody knows whose it is. Unlogged: a crash forgives a minute.
create unlogged table request_counts (
  key bytea not null constraint request_counts_pkey primary key,
  count integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
