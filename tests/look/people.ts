import type { Person } from '../support/browser/main-path.ts';

const password = 'Abcde1';

/** Has just signed up. */
export const newcomer: Person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', password };

/** Was here before, on another device. */
export const bare: Person = { firstName: 'Joan', lastName: 'Clarke', email: 'joan@example.com', password };

/** Has used the app for a while. */
export const ada: Person = { firstName: 'Ada', lastName: 'King', email: 'ada@example.com', password };

/** Has a long name and an address without a place to break it. */
export const hostile: Person = {
  firstName: 'Maximiliana-Anneliese',
  lastName: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren',
  email: `${'a.very.long.local.part'.repeat(2)}@${'subdomain.'.repeat(4)}example.com`,
  password,
};
