-- A program may have a course more than once.
alter table program_courses drop constraint program_courses_program_course_key;
create index program_courses_program_course_idx on program_courses (tenant_id, program_id, course_id);

-- The name of a row that has no other: ten characters, as all rows have, of the last fifty bits of its id.
create or replace function row_name_of(id uuid) returns text
  language sql immutable parallel safe
  as $$
    select substr(letters, (bits >> 45 & 31)::integer + 1, 1) || substr(letters, (bits >> 40 & 31)::integer + 1, 1)
        || substr(letters, (bits >> 35 & 31)::integer + 1, 1) || substr(letters, (bits >> 30 & 31)::integer + 1, 1)
        || substr(letters, (bits >> 25 & 31)::integer + 1, 1) || substr(letters, (bits >> 20 & 31)::integer + 1, 1)
        || substr(letters, (bits >> 15 & 31)::integer + 1, 1) || substr(letters, (bits >> 10 & 31)::integer + 1, 1)
        || substr(letters, (bits >> 5 & 31)::integer + 1, 1) || substr(letters, (bits & 31)::integer + 1, 1)
      from (select '0123456789abcdefghijklmnopqrstuv' as letters,
                   ('x' || right(replace(id::text, '-', ''), 13))::bit(52)::bigint as bits) named
  $$;
