import { expect, test } from 'vitest';
import { createStatementNames } from '#server/db/statement-names.ts';

const ONE = 'select * from "chats" where "id" = $1';
const OTHER = 'delete from "chats" where "id" = $1';

test('a statement has one name, in another process too, and two have different ones', () => {
  const { nameOf } = createStatementNames();
  const [one, other] = [ONE, OTHER].map(nameOf);
  expect(one).toBeTypeOf('string');
  expect(other).not.toBe(one);
  expect(nameOf(ONE)).toBe(one);
  expect(createStatementNames().nameOf(ONE)).toBe(one);
});

test('a statement whose text differs with the number of its values has no name', () => {
  const { nameOf } = createStatementNames();
  expect(nameOf('select * from "chats" where "chats"."id" in ($1, $2)')).toBeUndefined();
  expect(nameOf('insert into "chats" ("id", "user_id") values ($1, $2), ($3, $4)')).toBeUndefined();
  expect(nameOf('insert into "chats" ("id", "user_id") values ($1, default), ($2, default)')).toBeUndefined();
  expect(nameOf('select * from "chats" where "chats"."id" in ($1)')).toBeTypeOf('string');
  expect(nameOf('insert into "chats" ("id", "user_id") values ($1, default)')).toBeTypeOf('string');
});

test('a statement without a plan, or with no values, has no name', () => {
  const { nameOf } = createStatementNames();
  expect(
    ['begin', 'commit', 'rollback', 'savepoint sp1', 'alter table chats', 'select 1; select 2'].filter((text) => nameOf(text)),
  ).toEqual([]);
});

test('after the end no statement has a name', () => {
  const { nameOf, end } = createStatementNames();
  nameOf(ONE);
  end();
  expect([nameOf(ONE), nameOf(OTHER)]).toEqual([undefined, undefined]);
});

test('the number of names is limited', () => {
  const { nameOf } = createStatementNames();
  const names = Array.from({ length: 1_000 }, (_, index) => nameOf(`${ONE} and ${index} = ${index}`));
  expect(new Set(names.filter((name) => name !== undefined)).size).toBe(400);
  expect(nameOf(`${ONE} and 0 = 0`)).toBe(names[0]);
});
