import { ago, idFrom, owner, perUser, type Run, type Scale, some, user } from './sql-pieces.ts';

async function fillMarket(run: Run, scale: Scale): Promise<void> {
  await run(
    'market',
    `insert into watched_coins (user_id, coin_id, symbol, name) select u.id, m, 'BTC', 'Bitcoin' from ${perUser(scale, 10)};
    insert into coin_days (coin_id, day, open, high, low, close)
      select n, to_char(${ago('m')}, 'YYYY-MM-DD'), 1, 1, 1, 1 from ${some(scale.users / 100)}, generate_series(1, 380) m;
    insert into market_answers (key, value, version, good_until)
      select 'coin:' || n, '{}', 1, ${ago('n % 2')} from ${some(Math.min(scale.users, 20_000))}`,
  );
}

async function fillSupport(run: Run, scale: Scale): Promise<void> {
  await run(
    'support',
    `insert into contact_messages (id, user_id, kind, name, email, message, reply, created_at)
      select ${idFrom(`'contact ' || u.n || ' ' || m`)}, u.id, 'contact', 'Ada', 'ada@example.com', 'Hello', 'Hello', ${ago('m * 30')} from ${perUser(scale, 2)};
    insert into contact_files (message_id, place, name, type, hash, size)
      select id, 0, 'chart.png', 'image/png', md5(id::text), 1000 from contact_messages`,
  );
}

async function fillPurchases(run: Run, scale: Scale): Promise<void> {
  await run(
    'plans',
    `insert into subscriptions (user_id, plan, store, ends_at, renews, verified_at, told)
      select id, 'PRO', 'test', ${ago('-20')}, true, now(), 'PRO' from users where id <> ${owner};
    insert into test_store (app_user_id, product, expires_at, renews)
      select app_user_id, 'pro_monthly', ${ago('-20')}, true from users where id <> ${owner};
    insert into store_events (id, created_at) select md5(u.id::text || m), ${ago('m * 30 - 1')} from ${perUser(scale, 3)}`,
  );
}

/** Users, their contents excepted. */
export async function fillAccounts(run: Run, scale: Scale): Promise<void> {
  await run(
    'users',
    `insert into users (id, email, first_name, last_name, password_hash, verified_at, created_at)
    select ${user('n')}, 'user' || n || '@example.com', 'Ada', 'Byron', 'x', now(), ${ago('n % 365')} from ${some(scale.users)}
    union all select ${owner}, 'owner@example.com', 'Ada', 'Byron', 'x', now(), ${ago('365')}`,
  );
  await run(
    'profiles',
    `insert into profile_pictures (user_id, hash, size) select id, md5(id::text), 1000 from users where id <> ${owner};
    insert into passkeys (user_id, credential_id, public_key, name, created_at)
      select u.id, md5(u.id::text || m), decode(repeat('00', 77), 'hex'), 'Chrome on Linux', ${ago('m')} from ${perUser(scale, 2)};
    insert into backtests (user_id, status, settings, owner, created_at) select u.id, 'DONE', '{}', '', ${ago('m')} from ${perUser(scale, 2)}`,
  );
  await fillMarket(run, scale);
  await fillSupport(run, scale);
  await fillPurchases(run, scale);
}
