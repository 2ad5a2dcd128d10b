-- migration: in batches
update programs r
   set search_text = fold_for_search(concat_ws(E'\n', r.name, r.code, r.external_id))
 where (r.tenant_id, r.id) in (
   select old.tenant_id, old.id
     from programs old
    where old.search_text ~ '[^\u0001-\u007f]|[''`]'
      and old.search_text <> fold_for_search(concat_ws(E'\n', old.name, old.code, old.external_id))
    limit 5000)
