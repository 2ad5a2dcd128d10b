alter table student_groups_students add column from_date date;
alter table student_groups_students add column to_date date;
