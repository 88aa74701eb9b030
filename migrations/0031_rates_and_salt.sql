-- A change of a currency's rate concerns all who see its products, also those with prices of their own: these are
-- shares of the amount that it changes. It was marked as a change of what is available, which it is not.

alter table catalogue_changes drop constraint catalogue_changes_kind_check;
alter table catalogue_changes
  add constraint catalogue_changes_kind_check check (kind in ('price', 'rate', 'availability', 'visibility'));
comment on table catalogue_changes is
  'owner: catalogue. What changed, whom it concerns and is still to be told: price, rate, availability, visibility.';

-- What verification ids are signed with follows from the encryption key, which is not in the database, and from this:
-- no secret any more, but what tells one deployment from another under the same key.
comment on table deployment_secrets is
  'owner: verification. One row: the salt of the key of verification ids. Another salt ends all of them.';
