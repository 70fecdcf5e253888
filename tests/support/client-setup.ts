import 'fake-indexeddb/auto';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { FakeLocks } from './web-locks';

// happy-dom has no Web Locks.
Object.defineProperty(navigator, 'locks', { value: new FakeLocks() });

// Testing Library unmounts by itself only where test globals exist; ours are imported.
afterEach(cleanup);
