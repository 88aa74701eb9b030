-- The secret that verification ids are signed with. It is kept here rather than in the environment, so that every
-- process of a deployment accepts what another one answered, and none accepts another deployment's.

create table deployment_secrets (
  name text primary key check (name = 'verification'),
  secret bytea not null check (length(secret) = 32)
);
comment on table deployment_secrets is
  'owner: verification. One row: the key of verification ids. Another key ends all of them.';

-- Three UUIDs of version 4 bring 366 bits of the operating system's randomness; the hash makes a key of them.
insert into deployment_secrets (name, secret)
values (
  'verification',
  sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8'))
);
