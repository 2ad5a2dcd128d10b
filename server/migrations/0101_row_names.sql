-- As before, by a function whose plan a session keeps: that of one in SQL was made anew by each statement that reads rows.
create or replace function row_name_of(id uuid) returns text
  language plpgsql immutable parallel safe
  as $$
    declare
      letters constant text := '0123456789abcdefghijklmnopqrstuv';
      bits constant bigint := ('x' || right(replace(id::text, '-', ''), 13))::bit(52)::bigint;
    begin
      return substr(letters, (bits >> 45 & 31)::integer + 1, 1) || substr(letters, (bits >> 40 & 31)::integer + 1, 1)
          || substr(letters, (bits >> 35 & 31)::integer + 1, 1) || substr(letters, (bits >> 30 & 31)::integer + 1, 1)
          || substr(letters, (bits >> 25 & 31)::integer + 1, 1) || substr(letters, (bits >> 20 & 31)::integer + 1, 1)
          || substr(letters, (bits >> 15 & 31)::integer + 1, 1) || substr(letters, (bits >> 10 & 31)::integer + 1, 1)
          || substr(letters, (bits >> 5 & 31)::integer + 1, 1) || substr(letters, (bits & 31)::integer + 1, 1);
    end
  $$;
