-- Plans of ends are deleted once no approval of them can wait any more: the codes in them are kept no longer than needed.

comment on table review_plans is
  'owner: resolution. How many sales are to end together, frozen while a second person decides. Deleted after three days.';
