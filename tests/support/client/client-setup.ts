import { cleanup, configure, screen, within } from '@testing-library/react';
import { afterEach } from 'vitest';
import { FakeLocks } from './web-locks.ts';

Object.assign(screen, within(document.body));

// happy-dom has no Web Locks.
Object.defineProperty(navigator, 'locks', { value: new FakeLocks() });

// One second, the default, is too short on a busy machine.
configure({ asyncUtilTimeout: 25_000 });

// Testing Library only unmounts by itself when test functions are globals.
afterEach(cleanup);
