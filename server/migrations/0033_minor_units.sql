-- Minor units of currencies as ISO 4217 has them, where an institution changed nothing of what it started with.
update currencies c
   set fraction_units = iso.units, fraction = iso.fraction, number_format = iso.format,
       version = c.version + 1, updated_at = greatest(current_stamp(), c.updated_at)
  from (values
    ('AFN', 100, 'Pul', '#,###.##'), ('ALL', 100, 'Qindarka', '#,###.##'), ('COP', 100, 'Centavo', '#,###.##'),
    ('HUF', 100, 'Fillér', '#,###.##'), ('IDR', 100, 'Sen', '#,###.##'), ('IQD', 1000, 'Fils', '#,###.###'),
    ('IRR', 100, 'Dinar', '#,###.##'), ('KPW', 100, 'Chon', '#,###.##'), ('LAK', 100, 'Att', '#,###.##'),
    ('LBP', 100, 'Piastre', '#,###.##'), ('MGA', 100, 'Centime', '#,###.##'), ('MMK', 100, 'Pya', '#,###.##'),
    ('PKR', 100, 'Paisa', '#,##,###.##'), ('SOS', 100, 'Senti', '#,###.##'), ('SYP', 100, 'Piastre', '#,###.##'),
    ('YER', 100, 'Fils', '#,###.##')
  ) as iso (code, units, fraction, format)
 where c.name = iso.code and c.fraction_units = 1 and coalesce(c.fraction, '') = '';
