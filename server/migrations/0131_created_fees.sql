alter table fee_schedules add column created_fees integer not null default 0;
alter table fee_schedules add column created_total numeric not null default 0;
alter table fee_schedules_student_groups add column created_fees integer not null default 0;
alter table fee_schedules_student_groups add column created_total numeric not null default 0;
