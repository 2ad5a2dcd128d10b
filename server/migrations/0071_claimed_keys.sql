-- Takes the lock of whoever processes a request with a key, or fails: with MK001 where an outcome of the key is kept, with MK002 where
-- another request with it is being processed. So that the work may be sent together with it: none of it is done where it fails. An
-- outcome whose time is over is forgotten. It looks after it has tried the lock, so that it sees what whoever had it has kept.
create function claim_idempotency_key(tenant uuid, caller uuid, wanted text, lock bigint) returns void
  language plpgsql
  as $$
    declare
      is_free boolean := pg_try_advisory_xact_lock(lock);
      over_at timestamptz := (select expires_at from idempotency_keys
                               where tenant_id = tenant and api_key_id = caller and key = wanted);
    begin
      if over_at > now() then
        raise exception 'an outcome of the key is kept' using errcode = 'MK001';
      end if;
      if not is_free then
        raise exception 'a request with the key is being processed' using errcode = 'MK002';
      end if;
      if over_at is not null then
        delete from idempotency_keys where tenant_id = tenant and api_key_id = caller and key = wanted;
      end if;
    end
  $$;
