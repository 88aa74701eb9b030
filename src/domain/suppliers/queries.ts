import type { ProductId } from "../../kernel/ids.ts";
import { statement } from "../../platform/database/database.ts";
import type { RouteOrder, SupplierRoute } from "./routing/route.ts";

export const listSuppliers = statement(
  "list_suppliers",
  `select name, connector, settings, credentials, state
     from suppliers
    order by name`,
);

export const findSupplierToken = statement(
  "find_supplier_token",
  `select sealed
     from supplier_tokens
    where supplier = $1 and audience = $2`,
);

/** Nothing where the supplier is not stored: a command may try one out before. */
export const insertSupplierToken = statement(
  "insert_supplier_token",
  `insert into supplier_tokens (supplier, audience, sealed)
   select s.name, $2, $3
     from suppliers s
    where s.name = $1
   on conflict (supplier, audience) do update
      set sealed = excluded.sealed`,
);

export interface RouteRow extends Omit<SupplierRoute, "cost"> {
  readonly cost: bigint | null;
  /** Of `cost`. */
  readonly costCurrency: string;
  /** Kobo for one whole unit of that currency; null for naira, and while no operator said it. */
  readonly costRate: bigint | null;
  readonly costBasisPoints: number | null;
  readonly enabled: boolean;
}

/** Each route with the rate of its cost's currency: that of the operator, else that of the products sold in it. */
const routesWithRates = `select r.product_id as "productId",
          r.supplier,
          r.supplier_code as "supplierCode",
          r.cost,
          r.cost_currency as "costCurrency",
          coalesce(f.rate, sold.rate) as "costRate",
          r.cost_basis_points as "costBasisPoints",
          r.priority,
          r.weight,
          r.enabled
     from supplier_routes r
     left join fx_rates f
       on f.currency = r.cost_currency
     left join (
            select face_currency as currency, max(fx_rate) as rate
              from products
             where fx_rate is not null
             group by face_currency
          ) sold
       on sold.currency = r.cost_currency`;

export const listSupplierRoutes = statement(
  "list_supplier_routes",
  `${routesWithRates}
    order by r.product_id, r.priority, r.supplier`,
);

export const listRoutesOfProducts = statement(
  "list_routes_of_products",
  `${routesWithRates}
    where r.product_id = any ($1::integer[])
    order by r.product_id, r.priority, r.supplier`,
);

export const listRoutesOfSupplier = statement(
  "list_routes_of_supplier",
  `${routesWithRates}
    where r.supplier = $1
    order by r.product_id`,
);

export interface RouteChoiceRow {
  readonly productId: ProductId;
  readonly chooseBy: RouteOrder;
}

export const listRouteChoices = statement(
  "list_route_choices",
  `select product_id as "productId", choose_by as "chooseBy"
     from route_choices`,
);

/** Adds a supplier, or replaces what its connector is told; whether it is enabled stays. */
export const insertSupplier = statement(
  "insert_supplier",
  `insert into suppliers (name, connector, settings, credentials)
   values ($1, $2, $3, $4)
   on conflict (name) do update
      set settings = excluded.settings,
          credentials = coalesce(excluded.credentials, suppliers.credentials)
    where suppliers.connector = excluded.connector
   returning name, connector, settings, credentials, state`,
);

export const updateSupplierState = statement(
  "update_supplier_state",
  `update suppliers
      set state = $2
    where name = $1
   returning name`,
);

export const listKnownProducts = statement(
  "list_known_products",
  `select id
     from products
    where id = any ($1::integer[])`,
);

/** Without a word on whether it is enabled ($7), a route stays as it is, and a new one is. */
export const insertRoute = statement(
  "insert_supplier_route",
  `insert into supplier_routes (
     product_id, supplier, supplier_code, cost, cost_basis_points, priority, enabled, cost_currency
   )
   values ($1, $2, $3, $4, $5, $6, coalesce($7::boolean, true), $8)
   on conflict (product_id, supplier) do update
      set supplier_code = excluded.supplier_code,
          cost = excluded.cost,
          cost_currency = excluded.cost_currency,
          cost_basis_points = excluded.cost_basis_points,
          priority = excluded.priority,
          enabled = coalesce($7, supplier_routes.enabled)`,
);

/** Many of one supplier ($1) at once, those that are there as well: what is off stays off. Each product once. */
export const insertListedRoutes = statement(
  "insert_listed_routes",
  `insert into supplier_routes (
     product_id, supplier, supplier_code, cost, cost_basis_points, priority, cost_currency
   )
   select i.product_id, $1, i.code, i.cost, i.basis_points, i.priority, i.currency
     from unnest($2::integer[], $3::text[], $4::bigint[], $5::smallint[], $6::smallint[], $7::text[])
       as i (product_id, code, cost, basis_points, priority, currency)
    order by i.product_id
       on conflict (product_id, supplier) do update
          set supplier_code = excluded.supplier_code,
              cost = excluded.cost,
              cost_currency = excluded.cost_currency,
              cost_basis_points = excluded.cost_basis_points,
              priority = excluded.priority`,
);

export const deleteListedRoutes = statement(
  "delete_listed_routes",
  `delete from supplier_routes
    where supplier = $1 and product_id = any ($2::integer[])`,
);

export const deleteRoute = statement(
  "delete_supplier_route",
  `delete from supplier_routes
    where product_id = $1 and supplier = $2
   returning product_id`,
);

export const insertRouteChoice = statement(
  "insert_route_choice",
  `insert into route_choices (product_id, choose_by)
   values ($1, $2)
   on conflict (product_id) do update
      set choose_by = excluded.choose_by`,
);

/** Nothing where there is no such route. */
export const updateRouteWeight = statement(
  "update_route_weight",
  `update supplier_routes
      set weight = $3
    where product_id = $1 and supplier = $2
   returning product_id`,
);

/** Changes what an operator arranges of a route. Nothing where there is no such route. */
export const updateRoutePlace = statement(
  "update_supplier_route_place",
  `update supplier_routes
      set priority = $3,
          weight = $4,
          enabled = $5
    where product_id = $1 and supplier = $2
   returning product_id`,
);

/**
 * Products on offer that nobody would sell now: every route is off, or leads to a supplier that is away for all ($1), that
 * has a breaker open for the category (said within $3 seconds), that has nothing left of our own stock ($2), or whose
 * currency has no rate.
 */
export const listUnservedProducts = statement(
  "list_unserved_products",
  `with served as (
          select r.product_id
            from supplier_routes r
            join suppliers s
              on s.name = r.supplier
            join products p
              on p.id = r.product_id
            join billers b
              on b.slug = p.biller_slug
            left join supplier_breakers o
              on o.supplier = r.supplier
             and o.category = b.category
             and o.open_at > now() - make_interval(secs => $3)
           where r.enabled
             and r.supplier <> all ($1::text[])
             and o.supplier is null
             and not (s.connector = 'voucher-stock' and r.product_id = any ($2::integer[]))
             and r.cost_currency in (
                   select 'NGN'
                    union all
                   select currency from fx_rates
                    union all
                   select face_currency from products where fx_rate is not null
                 )
        )
   select p.id
     from products p
     join billers b
       on b.slug = p.biller_slug
     left join served
       on served.product_id = p.id
    where p.available
      and b.status <> 'unavailable'
      and served.product_id is null
    order by p.id`,
);

/** Products with a route at the supplier $1, whatever they are called there. */
export const listProductsOfSupplier = statement(
  "list_products_of_supplier",
  `select product_id as id
     from supplier_routes
    where supplier = $1`,
);

/** Products that some supplier calls so. */
export const listProductsByCode = statement(
  "list_products_by_code",
  `select product_id as id
     from supplier_routes
    where supplier_code = $1`,
);
