-- The currencies and funds that ISO 4217 has today, for the institutions that there are, and the names of the smallest units where an
-- institution changed nothing of what it started with.
create function add_currencies(tenant uuid) returns void language plpgsql volatile
  as $$
    begin
      insert into currencies (tenant_id, id, name, currency_name, enabled, symbol, fraction_units, fraction, number_format)
      select tenant, new_uuid7(), c.code, c.code, 1, c.symbol, c.units, c.fraction, c.format
        from (values
          ('BOV', 'BOV', 100, 'Hundredth', '#,###.##'), ('CHE', 'CHE', 100, 'Hundredth', '#,###.##'),
          ('CHW', 'CHW', 100, 'Hundredth', '#,###.##'), ('CLF', 'UF', 10000, 'Ten-Thousandth', '#,###.####'),
          ('COU', 'COU', 100, 'Hundredth', '#,###.##'), ('MXV', 'MXV', 100, 'Hundredth', '#,###.##'),
          ('USN', 'USN', 100, 'Cent', '#,###.##'), ('UYI', 'UYI', 1, '', '#,###'),
          ('UYW', 'UYW', 10000, 'Ten-Thousandth', '#,###.####'), ('VED', 'Bs.', 100, 'Céntimo', '#,###.##'),
          ('XAD', 'XAD', 100, 'Hundredth', '#,###.##'), ('XCG', 'Cg', 100, 'Cent', '#,###.##'),
          ('ZWG', 'ZiG', 100, 'Cent', '#,###.##')
        ) as c (code, symbol, units, fraction, format)
      on conflict do nothing;
    end
  $$;

select add_currencies(id) from tenants;

-- reviewed: made above, and known to nobody else
drop function add_currencies(uuid);

-- reviewed: a few dozen rows of each institution, which hardly anybody writes
update currencies c
   set fraction = iso.fraction, version = c.version + 1, updated_at = greatest(current_stamp(), c.updated_at)
  from (values
    ('AMD', 'Cent', 'Luma'), ('AOA', 'Cent', 'Cêntimo'), ('AZN', 'Cent', 'Qəpik'), ('BAM', 'Cent', 'Fening'),
    ('BGN', 'Cent', 'Stotinka'), ('BTN', 'Cent', 'Chhertum'), ('BWP', 'Cent', 'Thebe'), ('BYN', 'Cent', 'Kopeck'),
    ('CDF', 'Cent', 'Centime'), ('CVE', 'Cent', 'Centavo'), ('DZD', 'Cent', 'Centime'), ('ETB', 'Cent', 'Santim'),
    ('FKP', 'Cent', 'Penny'), ('GEL', 'Cent', 'Tetri'), ('GHS', 'Cent', 'Pesewa'), ('GIP', 'Cent', 'Penny'),
    ('GMD', 'Cent', 'Butut'), ('HTG', 'Cent', 'Centime'), ('ILS', 'Cent', 'Agora'), ('KGS', 'Cent', 'Tyiyn'),
    ('KHR', 'Cent', 'Sen'), ('KZT', 'Cent', 'Tiyn'), ('LSL', 'Cent', 'Sente'), ('LYD', 'Cent', 'Dirham'),
    ('MAD', 'Cent', 'Centime'), ('MDL', 'Cent', 'Ban'), ('MKD', 'Cent', 'Deni'), ('MNT', 'Cent', 'Möngö'),
    ('MOP', 'Cent', 'Avo'), ('MVR', 'Cent', 'Laari'), ('MWK', 'Cent', 'Tambala'), ('MZN', 'Cent', 'Centavo'),
    ('NGN', 'Cent', 'Kobo'), ('OMR', 'Cent', 'Baisa'), ('PAB', 'Cent', 'Centésimo'), ('PGK', 'Cent', 'Toea'),
    ('QAR', 'Cent', 'Dirham'), ('RON', 'Cent', 'Ban'), ('RSD', 'Cent', 'Para'), ('SDG', 'Cent', 'Piastre'),
    ('SHP', 'Cent', 'Penny'), ('SSP', 'Cent', 'Piastre'), ('STN', 'Cent', 'Cêntimo'), ('SVC', 'Cent', 'Centavo'),
    ('TJS', 'Cent', 'Diram'), ('TMT', 'Cent', 'Tenge'), ('TND', 'Cent', 'Millime'), ('TOP', 'Cent', 'Seniti'),
    ('UZS', 'Cent', 'Tiyin'), ('WST', 'Cent', 'Sene'), ('ZMW', 'Cent', 'Ngwee')
  ) as iso (code, before, fraction)
 where c.name = iso.code and c.fraction = iso.before;
