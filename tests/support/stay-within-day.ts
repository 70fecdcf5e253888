import { beforeEach } from 'vitest';
import { DAY, SECOND } from '#domain/clock.ts';
import { stayWithin } from './stay-within.ts';

// No test runs over midnight UTC: budgets begin again, and dates on the screen change. Almost all take a few seconds.
beforeEach(() => stayWithin(DAY, 30 * SECOND));
