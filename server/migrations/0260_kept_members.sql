-- What a bundle says of an object and no record of ours has, such as the user name of another system.
alter table roster_ids add column members jsonb;

alter table instructors add column email text;
