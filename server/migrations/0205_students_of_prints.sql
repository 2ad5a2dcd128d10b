-- Whose report cards a print has, by their codes, so that a print goes when one of them is erased and its download says whom it shows.
alter table report_card_prints add column students text[] not null default '{}';
