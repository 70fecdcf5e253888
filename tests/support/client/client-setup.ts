import 'fake-indexeddb/auto';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { FakeLocks } from './web-locks.ts';

// happy-dom has no Web Locks.
Object.defineProperty(navigator, 'locks', { value: new FakeLocks() });

// A limit for what never comes, not for a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// Testing Library unmounts by itself only where test globals exist; ours are imported.
afterEach(cleanup);
