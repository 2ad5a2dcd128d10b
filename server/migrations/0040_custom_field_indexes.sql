-- Numbers as clients have them: under row-level security an index serves only comparisons that tell nothing of what they
-- compare, and those of numeric are not among them.
drop index custom_field_values_text_idx, custom_field_values_number_idx, custom_field_values_record_idx;
alter table custom_field_values
  alter column number_value type double precision,
  drop constraint custom_field_values_pkey,
  add constraint custom_field_values_pkey primary key (tenant_id, record_id, field_id);
create index custom_field_values_text_idx on custom_field_values (tenant_id, field_id, text_value, record_id);
create index custom_field_values_number_idx on custom_field_values (tenant_id, field_id, number_value, record_id)
  where number_value is not null;

-- Only what changed is found anew.
create or replace function keep_custom_field_values() returns trigger language plpgsql
  as $$
    begin
      if tg_op <> 'INSERT' then
        delete from custom_field_values v using custom_fields f
         where v.tenant_id = old.tenant_id and v.record_id = old.id
           and f.tenant_id = v.tenant_id and f.id = v.field_id
           and (tg_op = 'DELETE'
                or new.custom_fields -> f.fieldname is distinct from old.custom_fields -> f.fieldname);
      end if;
      if tg_op <> 'DELETE' then
        insert into custom_field_values (tenant_id, field_id, record_id, text_value, number_value)
        select new.tenant_id, f.id, new.id, custom_text(v.value), custom_number(new.custom_fields, v.key)
          from jsonb_each(new.custom_fields) v
          join custom_fields f
            on f.tenant_id = new.tenant_id and f.record_table = tg_table_name and f.fieldname = v.key
         where tg_op = 'INSERT' or v.value is distinct from old.custom_fields -> v.key
        on conflict on constraint custom_field_values_pkey
        do update set text_value = excluded.text_value, number_value = excluded.number_value;
      end if;
      return null;
    end
  $$;
