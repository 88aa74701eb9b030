-- Looks at a sale: entries of the company's people that name it, found by its transaction id.

create index audit_log_by_sale
  on audit_log ((substring(details from '"sale":"([A-Z0-9]+)"')), number)
  where who like 'staff:%';
