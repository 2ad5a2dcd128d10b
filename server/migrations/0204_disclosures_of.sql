-- migration: contract
-- find_disclosures has taken its place.
drop function disclosures_of(uuid, text[], uuid, integer);
