-- Older clients know networks by numbers, which differ between the services that they were written for, and some
-- clients number them differently for data and for airtime.

alter table merchants
  add column legacy_data_networks text,
  add column legacy_airtime_networks text,
  add column legacy_prefix_check boolean not null default true,
  add constraint merchants_legacy_data_networks_check
    check (legacy_data_networks ~ '^[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)(,[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)){3}$'),
  add constraint merchants_legacy_airtime_networks_check
    check (
      legacy_airtime_networks ~ '^[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)(,[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)){3}$'
    );
comment on column merchants.legacy_data_networks is
  'How its older clients number networks when they buy data: 1=MTN,2=AIRTEL,3=GLO,4=9MOBILE. Null: the usual numbers.';
comment on column merchants.legacy_airtime_networks is 'The same, for airtime.';
comment on column merchants.legacy_prefix_check is
  'Whether its older clients are refused airtime to a number of another network''s prefix.';
