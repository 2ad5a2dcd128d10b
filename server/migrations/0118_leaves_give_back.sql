alter table student_attendances add column status_before_leave text;
