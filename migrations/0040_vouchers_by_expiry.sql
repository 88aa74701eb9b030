-- Vouchers stood in the order of their import, those that had expired unsold among them: each claim, and each look at
-- how many are left, read all of these before it came to one that can still be sold. Now they stand in the order of
-- their expiry, so that a claim begins where the expired ones end. What expires first is sold first, and what never
-- does comes last; among equals the import's order holds.

create index vouchers_by_expiry on vouchers (product_id, coalesce(expires_on, 'infinity'::date), number)
 where sold_to is null;
drop index vouchers_for_sale;
