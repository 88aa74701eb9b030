-- What the company did about a merchant: changes of its people, by commands and in the console, and who looked.

create index audit_log_of_company
  on audit_log ((substring(details from '"merchant":"(mer_[0-9]+)"')), number)
  where who not like 'member:%';
