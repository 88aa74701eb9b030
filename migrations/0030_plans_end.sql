-- Plans of ends are deleted once no approval of them can wait any more: their sealed codes are kept no longer.

comment on table review_plans is
  'owner: resolution. How many sales are to end together, frozen while a second person decides. Deleted after three '
  'days.';
