-- What bundles of OneRoster have brought beside the records themselves.

-- Whether a bundle brought the record: then it ends when a later bundle, which has all there is, lacks it.
alter table roster_ids add column is_from_bundle boolean not null default false;
-- When a bundle ended it. What the staff has ended stays so when a bundle has it again.
alter table roster_ids add column ended_at timestamptz(3);
-- Columns that OneRoster does not know, by their headings.
alter table roster_ids add column metadata jsonb;
