-- migration: in batches
update admission_applications r
   set search_text = fold_for_search(concat_ws(E'\n', r.full_name, r.given_names, r.family_names, r.application_code, r.email, r.external_id))
 where (r.tenant_id, r.id) in (
   select old.tenant_id, old.id
     from admission_applications old
    where old.search_text ~ '[^\u0001-\u007f]|[''`]'
      and old.search_text <> fold_for_search(concat_ws(E'\n', old.full_name, old.given_names, old.family_names, old.application_code, old.email, old.external_id))
    limit 5000)
