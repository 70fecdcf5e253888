import type { Person } from '../support/browser/main-path.ts';

const password = 'Abcde1';

/** A new user. */
export const newcomer: Person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', password };

/** A user who is new on this device. */
export const bare: Person = { firstName: 'Joan', lastName: 'Clarke', email: 'joan@example.com', password };

/** A user with some weeks of data. */
export const ada: Person = { firstName: 'Ada', lastName: 'King', email: 'ada@example.com', password };

/** A user with a long name and an unbreakable e-mail address. */
export const hostile: Person = {
  firstName: 'Maximiliana-Anneliese',
  lastName: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren',
  email: `${'a.very.long.local.part'.repeat(2)}@${'subdomain.'.repeat(4)}example.com`,
  password,
};
