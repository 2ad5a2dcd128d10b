-- Whether a file is private that was uploaded without a word on it.
alter table education_settings add column private_uploads smallint not null default 0;
