-- A foreign key on a name does not cascade, because a table that is distributed by its tenant cannot have one that does. Whoever
-- changes a name changes it wherever it is named, in the same transaction; the keys are deferrable for that.
do $$
declare
  link record;
begin
  for link in
    select k.conrelid::regclass as linking, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.confupdtype = 'c'
  loop
    execute format('alter table %s drop constraint %I', link.linking, link.name);
    execute format('alter table %s add constraint %I %s', link.linking, link.name,
                   replace(link.definition, ' ON UPDATE CASCADE', ''));
  end loop;
end $$;
