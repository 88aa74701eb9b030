-- Lists of the console with their filters, kept by name: each person's own, for each business.

create table saved_views (
  merchant_id integer not null,
  person_id integer not null,
  -- Numbered, so that the key holds the cap of 20.
  position smallint not null check (position between 1 and 20),
  list text not null check (length(list) between 1 and 40),
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) between 1 and 1000),
  primary key (merchant_id, person_id, position),
  constraint saved_views_once_a_name unique (merchant_id, person_id, list, name),
  foreign key (merchant_id, person_id) references members on delete cascade
);
comment on table saved_views is 'owner: history. Lists with their filters that a member keeps by name, at most 20.';
comment on column saved_views.merchant_id is 'The merchant whose lists they are.';
comment on column saved_views.person_id is 'Whose they are: nobody else sees them.';
comment on column saved_views.position is 'The number of the entry, from 1.';
comment on column saved_views.list is 'Which list: its page below the mode, transactions.';
comment on column saved_views.name is 'What the person calls it.';
comment on column saved_views.query is 'The filters as they stand in the list''s address.';
