/** Finds bots that ordered twice for one candle. Holds at any time. */
export const DOUBLED_ORDERS = `
  select bot_id from bot_orders where candle is not null and state <> 'cancelled' group by bot_id, candle having count(*) > 1`;

/** Queries that find broken invariants in the database after the bots have traded. */
export const BOT_FAULTS = {
  'orders of one bot for one candle': DOUBLED_ORDERS,
  'orders with an unknown outcome': `select client_id from bot_orders where state in ('intended', 'accepted')`,
  'open trades without a position': `
    select bots.id from bot_trades join bots on bots.id = bot_id where closed_at is null and position is null`,
};

/** Queries that find differences between the bots and the paper exchange, which share a database. */
export const PAPER_FAULTS = {
  'orders that were sent and are not in the journal': `
    select client_id from paper_orders where client_id not in (select client_id from bot_orders)`,
  'orders that differ between journal and exchange': `
    select client_id from bot_orders full join paper_orders using (client_id)
    where (bot_orders.state = 'filled' and "order" ->> 'state' is distinct from 'filled')
      or ("order" ->> 'state' = 'filled' and bot_orders.state is distinct from 'filled')
      or bot_orders.filled is distinct from coalesce(("order" ->> 'filled')::float8, 0)`,
  'positions without a stop': `
    select bot_id from paper_accounts where book -> 'position' <> 'null' and book -> 'position' -> 'stop' = 'null'`,
  'positions that differ between journal and exchange': `
    select id from bots left join paper_accounts on bot_id = id
    where (position is null) <> (book is null or book -> 'position' = 'null')`,
};
