import { ago, idFrom, perUser, type Run, type Scale, some, user } from './sql-pieces.ts';

async function fillSessions(run: Run, { users, expired }: Scale): Promise<void> {
  await run(
    'idempotency',
    `insert into idempotency (user_id, key, route, request_hash, status, answer, created_at)
    select ${user(`n % ${users} + 1`)}, md5('key ' || n), 'PATCH /', 'x', 200, '{"data":{}}', ${ago('8 + n % 30')} from ${some(expired)}`,
  );
  await run(
    'sessions',
    `insert into sessions (id, user_id, client_name, network, created_at)
    select ${idFrom(`'session ' || n`)}, ${user(`n % ${users} + 1`)}, 'Chrome on Android', '10.0.0.0/24', ${ago('90')} from ${some(expired + users)}`,
  );
  await run(
    'tokens',
    `insert into refresh_tokens (token_hash, session_id, expires_at, created_at)
    select md5('token ' || n), ${idFrom(`'session ' || n`)}, case when n > ${expired} then ${ago('-20')} else ${ago('1 + n % 30')} end, ${ago('60')}
    from ${some(expired + users)}`,
  );
  await run(
    'codes',
    `insert into codes (user_id, purpose, code_hash, expires_at)
    select ${idFrom(`'stranger ' || n`)}, 'reset-password', 'x', ${ago('2 + n % 30')} from ${some(expired)}`,
  );
}

/** What a page of an hour to a week leaves: half of it has expired. */
async function fillShortLived(run: Run, scale: Scale): Promise<void> {
  const { users, expired } = scale;
  const rows = some(expired / 2);
  const end = `case when n % 2 = 0 then ${ago('-1')} else ${ago('1 + n % 30')} end`;
  const aUser = user(`n % ${users} + 1`);
  await run(
    'counters',
    `insert into budgets (key, used, ends_at) select 'wrong ' || n, 1, ${end} from ${rows};
    insert into limit_counts (id, used, ends_at) select ${idFrom(`'limit ' || n`)}, 1, ${end} from ${rows};
    insert into code_guards (user_id, day, wrong_tries)
      select ${idFrom(`'stranger ' || n`)}, to_char(now() at time zone 'UTC' - n % 2 * interval '1 day', 'YYYY-MM-DD'), 1 from ${rows}`,
  );
  await run(
    'sign-ups',
    `insert into registrations (id, email, first_name, last_name, password_hash, network, created_at)
      select ${idFrom(`'stranger ' || n`)}, 'stranger' || n || '@example.com', 'Eve', 'Eve', 'x', '10.' || n % 250 || '.0.0/24', ${ago('n % 14')} from ${rows};
    insert into mailed_links (token_hash, user_id, registration_id, expires_at)
      select md5('link ' || n), case when n % 2 = 0 then ${aUser} end, case when n % 2 = 1 then ${idFrom(`'stranger ' || n`)} end, ${end} from ${rows};
    insert into connection_codes (code_hash, user_id, channel, expires_at) select md5('code ' || n), ${aUser}, 'telegram', ${end} from ${rows};
    insert into passkey_challenges (challenge_hash, purpose, user_id, session_id, expires_at)
      select md5('challenge ' || n), case when n % 2 = 0 then 'confirm' else 'sign-in' end, case when n % 2 = 0 then ${aUser} end,
        case when n % 2 = 0 then ${idFrom(`'session ' || n`)} end, ${end} from ${rows}`,
  );
  await run(
    'links to chats',
    `insert into chat_links (user_id, id, archive_id, token_hash, title, messages, message_count, with_pictures, left_out, has_earlier, expires_at)
    select u.id, ${idFrom(`'link ' || u.n || ' ' || m`)}, ${idFrom(`u.id::text || m`)}, md5('link ' || u.n || ' ' || m), 'Bitcoin', '[]', 20, false, 0, false,
      ${ago('6 - m * 7')} from ${perUser(scale, 2)}`,
  );
}

export async function fillExpired(run: Run, scale: Scale): Promise<void> {
  await fillSessions(run, scale);
  await fillShortLived(run, scale);
}
