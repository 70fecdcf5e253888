import { ago, idFrom, owner, perUser, type Run, type Scale, some } from './sql-pieces.ts';

/** What an alert watches, by its number, and values that no market reaches. */
const KINDS = `(values (1, 'percent', '24h', '24h up', 900, 900), (2, 'above', null, 'price up', 1e9, 1e9),
  (3, 'below', null, 'price down', 1e-12, -1e-12), (0, 'percent', '7d', '7d down', -99, 99)) as kinds(place, kind, period, move, level, trigger)`;

/** Up to nine alerts of each user, the first of the whole watchlist, and firings of a year. The owner has as many as a user may have. */
async function fillAlerts(run: Run, scale: Scale): Promise<void> {
  const coins = Math.ceil(scale.users / 100);
  const coin = `case when n % 2 = 0 then 1 else n % ${coins} + 1 end`;
  await run(
    'alerts',
    `create temporary table asked as
      select u.id as user_id, ${idFrom(`'alert ' || u.n || ' ' || m`)} as id, u.n, m from ${perUser(scale, 9)} where m <= u.n % 10
      union all select ${owner}, ${idFrom(`'own alert ' || m`)}, m * 7, m from generate_series(1, 100) m;
    insert into alerts (user_id, id, kind, coin_id, coin_name, coin_symbol, level, period, rearms, created_at)
      select user_id, id, kind, case when m > 1 then ${coin} end, 'Bitcoin', 'BTC', level, period, true, ${ago('m')}
      from asked join ${KINDS} on place = m % 4;
    insert into alert_watches (user_id, alert_id, coin_id, state, move, trigger, since)
      select user_id, id, coin, 'armed', move, trigger * (1 + n / 1e6), ${ago('1')} from asked join ${KINDS} on place = m % 4
      cross join lateral (select ${coin} as coin where m > 1 union all select generate_series(1, 10) where m = 1) as coins;
    insert into alert_prices (coin_id, seen_until, seen_from, changed_at) select n, now(), now(), ${ago('1')} from ${some(coins)};
    insert into alert_firings (user_id, alert_id, kind, coin_id, coin_name, coin_symbol, level, note, price, source, at, created_at)
      select u.id, u.id, 'above', 1, 'Bitcoin', 'BTC', 60000, '', 60001, 'A market', ${ago('m * 60')}, ${ago('m * 60')} from ${perUser(scale, 5)}
      union all select ${owner}, ${owner}, 'above', 1, 'Bitcoin', 'BTC', 60000, '', 60001, 'A market', ${ago('n')}, ${ago('n')} from generate_series(1, 200) n;
    drop table asked`,
  );
}

/** Notifications of a year, and how those of 30 days left the app. It is night: the latest of each user waits for the end of quiet hours. */
async function fillDeliveries(run: Run, scale: Scale): Promise<void> {
  await run(
    'notifications',
    `insert into notifications (user_id, kind, text, created_at)
    select u.id, 'support', 'You have a reply from support.', ${ago('m * 10 - 9')} from ${perUser(scale, 20)}
    union all select ${owner}, 'bot', 'Closed the long position.', ${ago('n')} from generate_series(1, 200) n`,
  );
  await run(
    'deliveries',
    `insert into destinations (user_id, channel, address)
      select u.id, (array['push', 'telegram', 'webhook'])[m], md5(u.id::text || m) from ${perUser(scale, 3)};
    insert into destinations (user_id, channel, address, ended_at)
      select ${owner}, 'push', 'https://push.invalid/' || n, ${ago('n')} from generate_series(1, 20) n;
    insert into notification_settings (user_id, choices, quiet_from, quiet_to, time_zone)
      select id, '{"chat": {"email": true}}', 1320, 420, 'Europe/Berlin' from users where id <> ${owner};
    insert into deliveries (user_id, notification_id, channel, destination_id, state, urgent, if_unseen, held, due_at, receipt, sent_at, created_at)
      select user_id, notifications.id, way.channel, way.id, case when is_held then 'waiting' else 'sent' end, false, false, is_held,
        case when is_held then now() + interval '8 hours' else notifications.created_at end, 'x', case when not is_held then notifications.created_at end,
        notifications.created_at
      from notifications
      cross join lateral (select channel, id from destinations where destinations.user_id = notifications.user_id and ended_at is null
        union all select 'email', null) as way
      cross join lateral (select user_id <> ${owner} and notifications.created_at > ${ago('2')} as is_held) as held
      where notifications.created_at > ${ago('30')}`,
  );
}

export async function fillNotices(run: Run, scale: Scale): Promise<void> {
  await fillAlerts(run, scale);
  await fillDeliveries(run, scale);
}
