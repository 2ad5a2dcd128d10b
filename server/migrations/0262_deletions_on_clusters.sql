-- Of a distributed table, triggers run on a shard, whose name ends in a number, and what they write names no constraint: shards have
-- others. Else nothing could be deleted on a cluster that OneRoster shows.

create or replace function record_roster_deletion() returns trigger language plpgsql
  as $$
    begin
      insert into roster_deletions (tenant_id, kind, id, record)
      values (old.tenant_id, regexp_replace(tg_table_name, '_\d+$', ''), old.id,
              (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(to_jsonb(old)) where key = any (tg_argv)))
      on conflict (tenant_id, kind, id)
      do update set deleted_at = excluded.deleted_at, record = excluded.record;
      return null;
    end
  $$;

create or replace function record_membership_deletion() returns trigger language plpgsql
  as $$
    declare
      member jsonb := to_jsonb(old);
      member_of text := regexp_replace(tg_table_name, '_\d+$', '');
      member_id uuid;
    begin
      if member_of = 'student_groups_students' then
        select s.id into member_id from students s where s.tenant_id = old.tenant_id and s.student_code = member ->> 'student';
      else
        select i.id into member_id from instructors i where i.tenant_id = old.tenant_id and i.name = member ->> 'instructor';
      end if;
      insert into roster_deletions (tenant_id, kind, id, record)
      values (old.tenant_id, member_of, old.id,
              jsonb_strip_nulls(jsonb_build_object('group_id', old.parent_id, 'member_id', member_id,
                                                   'from_date', member -> 'from_date', 'to_date', member -> 'to_date')))
      on conflict (tenant_id, kind, id)
      do update set deleted_at = excluded.deleted_at, record = excluded.record;
      return null;
    end
  $$;

create or replace function keep_custom_field_values() returns trigger language plpgsql
  as $$
    declare
      kept_in text := coalesce(tg_argv[0], tg_table_name);
    begin
      if tg_op <> 'INSERT' then
        delete from custom_field_values v using indexed_custom_fields f
         where v.tenant_id = old.tenant_id and v.record_id = old.id
           and f.tenant_id = v.tenant_id and f.id = v.field_id
           and (tg_op = 'DELETE'
                or new.custom_fields -> f.fieldname is distinct from old.custom_fields -> f.fieldname);
      end if;
      if tg_op <> 'DELETE' then
        insert into custom_field_values (tenant_id, field_id, record_id, text_value, number_value)
        select new.tenant_id, f.id, new.id, custom_text(v.value), custom_number(new.custom_fields, v.key)
          from jsonb_each(new.custom_fields) v
          join indexed_custom_fields f
            on f.tenant_id = new.tenant_id and f.record_table = kept_in and f.fieldname = v.key
         where tg_op = 'INSERT' or v.value is distinct from old.custom_fields -> v.key
        on conflict (tenant_id, field_id, record_id)
        do update set text_value = excluded.text_value, number_value = excluded.number_value;
      end if;
      return null;
    end
  $$;
