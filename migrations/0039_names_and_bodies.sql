-- Five products of the starting catalogue were called what they are not: Airtel's 2, 8, 10 and 25 GB at resellers'
-- prices are gifting plans, no corporate ones, and Showmax at 3,600 naira is its sports alone. An id keeps its meaning:
-- where a supplier serves such a product already, its operator looked for what the name said, and it stays. Codes stay
-- as they are, since lists of routes name them.

alter table catalogue_changes drop constraint catalogue_changes_kind_check;
alter table catalogue_changes
  add constraint catalogue_changes_kind_check check (
    kind in ('price', 'rate', 'availability', 'name', 'visibility')
  );
comment on table catalogue_changes is
  'owner: catalogue. What changed, whom it concerns, still to be told: price, rate, availability, name, visibility.';

-- Before the marks, as every change of the catalogue does: they are numbered in the order of their commits.
update revisions
   set revision = revision + 1
 where subject = 'catalogue';

with correction (id, was, name, plan, plan_type) as (
  values
    (1623, 'Airtel 2GB CORPORATE GIFTING (30 days)', 'Airtel 2GB GIFTING reseller (30 days)', '2GB', 'GIFTING'),
    (1624, 'Airtel 8GB CORPORATE GIFTING (30 days)', 'Airtel 8GB GIFTING reseller (30 days)', '8GB', 'GIFTING'),
    (1625, 'Airtel 10GB CORPORATE GIFTING (30 days)', 'Airtel 10GB GIFTING reseller (30 days)', '10GB', 'GIFTING'),
    (1626, 'Airtel 25GB CORPORATE GIFTING (30 days)', 'Airtel 25GB GIFTING reseller (30 days)', '25GB', 'GIFTING'),
    (4302, 'Showmax Sports Mobile', 'Showmax Sports only', 'Sports only', null)
),
corrected as (
  update products p
     set name = c.name,
         plan = c.plan,
         plan_type = c.plan_type,
         updated_at = now()
    from correction c
   where p.id = c.id
     and p.name = c.was
     and not exists (select 1 from supplier_routes r where r.product_id = p.id)
  returning p.id, p.biller_slug
)
insert into catalogue_changes (kind, biller_slug, product_id)
select 'name', c.biller_slug, c.id
  from corrected c
 order by c.id;

-- Deliveries that were dropped before their first attempt have none whose purge would let go of their bodies. They are
-- found by walking the deliveries themselves, each once.
alter table webhook_logs
  -- Up to this delivery, none that is no longer owed and was never attempted has its body; null before the first walk.
  add column bodies_purged_to uuid;
