-- Fields that are deleted, as long as records have values in them: docs/adr/0022-custom-fields.md.
create table removed_custom_fields (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  dt text not null,
  fieldname text not null,
  record_table text not null,
  removed_at timestamp(3) with time zone not null default current_stamp(),
  constraint removed_custom_fields_pkey primary key (tenant_id, id)
);
create trigger removed_custom_fields_noted after insert or delete on removed_custom_fields
  for each row execute function note_custom_fields();

create or replace function note_custom_fields() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public
  as $$
    declare tenant uuid := coalesce(new.tenant_id, old.tenant_id);
    begin
      update tenants t
         set custom_fields_at = case
               when exists (select from custom_fields f where f.tenant_id = tenant)
                 or exists (select from removed_custom_fields f where f.tenant_id = tenant)
               then greatest(current_stamp(), t.custom_fields_at + interval '1 millisecond')
             end
       where t.id = tenant;
      return null;
    end
  $$;

-- Values are found until they are cleared.
alter table custom_field_values drop constraint custom_field_values_field_fkey;

create view indexed_custom_fields with (security_invoker = true) as
select tenant_id, id, record_table, fieldname from custom_fields
union all
select tenant_id, id, record_table, fieldname from removed_custom_fields;

create or replace function keep_custom_field_values() returns trigger language plpgsql
  as $$
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
            on f.tenant_id = new.tenant_id and f.record_table = tg_table_name and f.fieldname = v.key
         where tg_op = 'INSERT' or v.value is distinct from old.custom_fields -> v.key
        on conflict on constraint custom_field_values_pkey
        do update set text_value = excluded.text_value, number_value = excluded.number_value;
      end if;
      return null;
    end
  $$;
