-- What the platform needs before any business: a number per process, and revisions that tell caches to reload.

-- Purchase ids carry ten bits of process; a start takes the next number, so 1,024 starts pass before one repeats.
create sequence process_numbers minvalue 0 maxvalue 1023 cycle;

create table revisions (
  subject text primary key check (subject in ('merchants', 'catalogue')),
  revision bigint not null default 0
);
comment on table revisions is
  'owner: platform. Counts the changes of read-mostly rooms; every process asks several times a second and reloads.';
insert into revisions (subject) values ('merchants'), ('catalogue');
