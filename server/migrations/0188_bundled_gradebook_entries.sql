-- Whether a bundle brought the object: then it goes when a later bundle, which has all there is, lacks it.
alter table gradebook_entries add column is_from_bundle boolean not null default false;
