-- The role of those who take applications and papers in, and read what they need for it.
create or replace function seed_roles(tenant uuid) returns void language plpgsql volatile
  as $$
    begin
      insert into roles (tenant_id, id, name, role_name, desk_access)
      select tenant, new_uuid7(), role, role, desk_access
        from (values ('Administrator', 1), ('System Manager', 1), ('Academics User', 1), ('Education Manager', 1),
                     ('Admissions Officer', 1), ('Instructor', 1), ('Accounts User', 1), ('Accounts Manager', 1),
                     ('Student', 0), ('Guardian', 0), ('Guest', 0), ('All', 0),
                     ('Desk User', 1)) as known (role, desk_access)
      on conflict on constraint roles_name_key do nothing;
    end
  $$;

select seed_roles(id) from tenants;
