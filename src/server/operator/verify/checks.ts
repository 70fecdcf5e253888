import { UNEXPLAINED } from '#server/bots/store/trades.ts';

/** Reference without a foreign key: each row of `rows` that names a missing one is a fault. */
const missing = (rows: string, without: string) => `select ${rows} and not exists (${without})`;

/**
 * Queries that find broken rules. Each returns one column: what identifies the row. The rules hold after every transaction, so
 * they may run while the server works.
 */
export const CHECKS: Readonly<Record<string, string>> = {
  'messages without their user': missing('id from chats where true', 'select 1 from users where users.id = chats.user_id'),
  'messages without their chat': missing(
    'id from chats where true',
    'select 1 from archives where archives.user_id = chats.user_id and archives.id = chats.archive_id',
  ),
  'messages without their picture': missing(
    'id from chats where chat_image is not null',
    'select 1 from chat_images where chat_images.user_id = chats.user_id and chat_images.id::text = chats.chat_image',
  ),
  'users without their profile picture': missing(
    'id from users where profile_image is not null',
    'select 1 from profile_pictures where profile_pictures.user_id = users.id',
  ),
  'trades without their bot': missing(
    'id from bot_trades where true',
    'select 1 from bots where bots.id = bot_trades.bot_id union all select 1 from deleted_bots where deleted_bots.id = bot_trades.bot_id',
  ),
  'answers whose charge is still reserved': `
    select chats.id from chats join charges on charges.user_id = chats.user_id and charges.chat_id = chats.id
    where chats.answered_at is not null and charges.state = 'reserved'`,
  'bots with several open trades': `
    select bot_id from bot_trades where closed_at is null and reason is distinct from '${UNEXPLAINED}' group by bot_id having count(*) > 1`,
  'paper orders that the journal does not have': `
    select client_id from paper_orders where not exists (
      select 1 from bot_orders where bot_orders.bot_id = paper_orders.bot_id and bot_orders.client_id = paper_orders.client_id)`,
  'paper accounts whose fills are not numbered from 0 without a gap': `
    select bot_id from paper_accounts left join lateral (
      select count(*) as number, max(place) + 1 as next from paper_fills where paper_fills.bot_id = paper_accounts.bot_id) counted on true
    where number <> fills or (fills > 0 and next <> fills)`,
  'paper accounts whose balance is not deposits plus profits less fees': `
    select bot_id from paper_accounts
    where abs((book ->> 'balance')::numeric * (book -> 'rules' ->> 'quantityStep')::numeric * (book -> 'rules' ->> 'priceStep')::numeric
      - funded::numeric - coalesce((select sum((fill ->> 'realised')::numeric - (fill ->> 'fee')::numeric) from paper_fills
        where paper_fills.bot_id = paper_accounts.bot_id), 0)) >= 0.01`,
};

/** Queries the declared references, one row for each, with the query that finds rows without their parent. */
export const REFERENCES = `
  select child.relname as child, parent.relname as parent, format(
    'select array_to_string(array[%s], '' '') as id from %I as child where %s and not exists (select 1 from %I as parent where %s)',
    string_agg(format('child.%I::text', own.attname), ', ' order by place), child.relname,
    string_agg(format('child.%I is not null', own.attname), ' and '), parent.relname,
    string_agg(format('parent.%I = child.%I', other.attname, own.attname), ' and ')) as query
  from pg_constraint join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
    cross join unnest(conkey, confkey) with ordinality as pair(own, other, place)
    join pg_attribute as own on own.attrelid = conrelid and own.attnum = pair.own
    join pg_attribute as other on other.attrelid = confrelid and other.attnum = pair.other
  where contype = 'f' and connamespace = 'public'::regnamespace
  group by pg_constraint.oid, child.relname, parent.relname order by child.relname, parent.relname`;
