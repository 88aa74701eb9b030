-- The balances of a switch are no longer counted in what a wallet had before them.
update move_in_merchants l
   set seq_after = l.seq_after - 1
  from move_ins v
 where v.id = l.move_id
   and v.state = 'moved'
   and l.balance > 0;

comment on column move_in_merchants.seq_after is
  'The number of the live wallet''s last entry when the merchant came. The switch books one more of each balance.';
