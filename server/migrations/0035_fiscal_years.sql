-- The month with which the institution's fiscal years begin.
alter table education_settings add column fiscal_year_first_month text default 'January';
