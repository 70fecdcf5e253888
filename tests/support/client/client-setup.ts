import { act, cleanup, configure, getConfig, screen, within } from '@testing-library/react';
import { afterEach } from 'vitest';
import { FakeLocks } from './web-locks.ts';

Object.assign(screen, within(document.body));

// happy-dom has no Web Locks.
Object.defineProperty(navigator, 'locks', { value: new FakeLocks() });

// One second, the default, is too short on a busy machine.
configure({ asyncUtilTimeout: 25_000 });

/** Also runs the effects of what a wait has found. React runs them in a later turn when drawing took more than 5 ms. */
async function withEffects<T>(wait: () => Promise<T>): Promise<T> {
  const found = await asyncWrapper(wait);
  await act(async () => {});
  return found;
}
const { asyncWrapper } = getConfig();
// The library stays loaded from file to file.
if (asyncWrapper.name !== withEffects.name) configure({ asyncWrapper: withEffects });

// Testing Library only unmounts by itself when test functions are globals.
afterEach(cleanup);
