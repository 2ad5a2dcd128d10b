-- A key opens nothing by a role that is disabled, as nobody who has it does.
create or replace function authenticate_api_key(hash bytea)
  returns table (
    tenant_id uuid, tenant_slug text, tenant_name text, tenant_status text, time_zone text, currency text,
    enabled_modules text[], sor_students text, sor_enrollment text, sor_payments text, custom_fields_at timestamptz,
    api_key_id uuid, api_key_name text, kind text, scopes text[], master_domains text[], roles text[],
    requests_per_minute integer, revoked_at timestamptz, secret_id uuid, expires_at timestamptz, last_used_at timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public
  as $$
    #variable_conflict use_column
    declare
      found_tenant uuid;
      found_secret uuid;
    begin
      select h.of_tenant, h.secret_id into found_tenant, found_secret from api_key_hashes h where h.secret_hash = hash limit 1;
      if not found then
        return;
      end if;
      return query
        select t.id, t.slug, t.name, t.status, t.time_zone, t.currency,
               t.enabled_modules, t.sor_students, t.sor_enrollment, t.sor_payments, t.custom_fields_at,
               k.id, k.name, k.kind, k.scopes, k.master_domains,
               array(select held.role from unnest(k.roles) with ordinality held (role, position)
                      where not exists (select from roles r
                                         where r.tenant_id = found_tenant and r.name = held.role and r.disabled = 1)
                      order by held.position),
               k.requests_per_minute, k.revoked_at, s.id, s.expires_at, s.last_used_at
          from api_key_secrets s
          join api_keys k on k.tenant_id = s.tenant_id and k.id = s.api_key_id
          join tenants t on t.id = s.tenant_id
         where s.tenant_id = found_tenant and s.id = found_secret and s.secret_hash = hash;
    end
  $$;
