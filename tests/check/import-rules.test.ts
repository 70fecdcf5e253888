import { describe, expect, test } from 'vitest';
import { brokenImportRules, ruleNames } from './import-graph.mjs';
import { createProject } from './project.ts';

/** Creates a project with these files and the minimum that the rules expect. */
const project = (files: Record<string, string>) => createProject({ 'src/contract/a.ts': '', 'sw/index.ts': '', ...files });

/** For each rule, the smallest projects that break it. */
const offences: Record<string, Record<string, string>[]> = {
  'contract-stands-alone': [{ 'src/contract/b.ts': "import '../domain/d';", 'src/domain/d.ts': '' }],
  'contract-uses-zod-alone': [
    { 'src/contract/b.ts': "import { io } from 'socket.io-client';" },
    { 'src/contract/b.ts': "import 'node:fs';" },
  ],
  'domain-obeys-contract': [{ 'src/domain/d.ts': "export * from '../server/s';", 'src/server/s.ts': '' }],
  'domain-is-pure': [{ 'src/domain/d.ts': "import { readFileSync } from 'node:fs';" }],
  'ui-knows-no-subject': [
    { 'src/client/ui/u.tsx': "import '../features/x/f';", 'src/client/features/x/f.tsx': '' },
    { 'src/client/ui/u.tsx': "import '../../domain/d';", 'src/domain/d.ts': '' },
  ],
  'coins-are-below-features': [{ 'src/client/coins/c.tsx': "import '../features/x/f';", 'src/client/features/x/f.tsx': '' }],
  'platform-is-below-features': [{ 'src/client/platform/api/p.ts': "import type { U } from '../../ui/u';", 'src/client/ui/u.tsx': '' }],
  'feature-stays-in-its-slice': [
    { 'src/client/features/x/f.tsx': "const g = () => import('../y/g');", 'src/client/features/y/g.tsx': '' },
    { 'src/client/features/x/f.tsx': "type A = import('../../app/a').A;", 'src/client/app/a.tsx': '' },
  ],
  'client-never-imports-server': [{ 'src/client/app/a.tsx': "import type { Db } from '../../server/db';", 'src/server/db.ts': '' }],
  'worker-is-small': [{ 'sw/w.ts': "import '../src/client/platform/api/call';", 'src/client/platform/api/call.ts': '' }],
  'worker-has-no-react': [
    {
      'sw/w.ts': "import '../src/client/platform/db/d';",
      'src/client/platform/db/d.ts': "import '../api/call';",
      'src/client/platform/api/call.ts': "import { useState } from 'react';",
    },
  ],
  'server-never-imports-client': [{ 'src/server/s.ts': "import { money } from '../client/ui/u';", 'src/client/ui/u.tsx': '' }],
  'module-speaks-through-services': [
    { 'src/server/modules/x/service.ts': "import '../y/store';", 'src/server/modules/y/store.ts': '' },
    { 'src/server/modules/x/service.ts': "import '../../bots/engine';", 'src/server/bots/engine.ts': '' },
  ],
  'strategy-is-pure': [{ 'src/server/strategy/s.ts': "import type { Db } from '../db/open';", 'src/server/db/open.ts': '' }],
  'bots-api-imports-downward': [{ 'src/server/bots/api/a.ts': "import '../bots';", 'src/server/bots/bots.ts': '' }],
  'bots-engine-imports-downward': [{ 'src/server/bots/engine/a.ts': "import type { B } from '../api/b';", 'src/server/bots/api/b.ts': '' }],
  'bots-keys-imports-downward': [
    { 'src/server/bots/keys/a.ts': "import type { B } from '../engine/b';", 'src/server/bots/engine/b.ts': '' },
  ],
  'bots-orders-imports-downward': [
    { 'src/server/bots/orders/a.ts': "import type { B } from '../keys/b';", 'src/server/bots/keys/b.ts': '' },
  ],
  'bots-positions-imports-downward': [
    { 'src/server/bots/positions/a.ts': "import type { B } from '../orders/b';", 'src/server/bots/orders/b.ts': '' },
  ],
  'bots-store-imports-downward': [
    { 'src/server/bots/store/a.ts': "import type { B } from '../positions/b';", 'src/server/bots/positions/b.ts': '' },
  ],
  'bots-messages-imports-downward': [
    { 'src/server/bots/messages/a.ts': "import type { B } from '../store/b';", 'src/server/bots/store/b.ts': '' },
  ],
  'exchanges-open-by-their-table': [
    { 'src/server/http/h.ts': "import '../ports/exchange/paper/p';", 'src/server/ports/exchange/paper/p.ts': '' },
  ],
  'exchange-stands-alone': [
    { 'src/server/ports/exchange/x/a.ts': "import '../paper/p';", 'src/server/ports/exchange/paper/p.ts': '' },
    { 'src/server/ports/exchange/live/a.ts': "import '../x/b';", 'src/server/ports/exchange/x/b.ts': '' },
  ],
  'no-cycles': [{ 'src/domain/a.ts': "import './b';", 'src/domain/b.ts': "import type { A } from './a';" }],
  'everything-resolves': [{ 'src/domain/a.ts': "import './gone';" }],
  'no-undeclared-package': [
    { 'src/server/s.ts': "import { chromium } from '@playwright/test';" },
    { 'src/server/s.ts': "import 'acorn';" },
  ],
};

describe('import rules', () => {
  test('each rule has a project that breaks it', () => {
    expect(Object.keys(offences).sort()).toEqual([...ruleNames].sort());
  });

  test.each(Object.entries(offences).flatMap(([rule, projects]) => projects.map((files) => [rule, files] as const)))(
    '%s is held',
    async (rule, files) => {
      const broken = await brokenImportRules(project(files));
      expect(broken.filter((line) => line.startsWith(`${rule}: `))).not.toEqual([]);
    },
  );

  test('a valid project breaks no rule', async () => {
    const kept = project({
      'src/contract/a.ts': "import * as z from 'zod/mini';",
      'src/domain/d.ts': "import type { A } from '../contract/a';",
      'src/client/ui/u.tsx': "import './u.module.css';",
      'src/client/ui/u.module.css': '',
      'src/client/platform/db/d.ts': "import Dexie from 'dexie';",
      'src/client/coins/c.tsx': "import '../ui/u'; import '../platform/db/d'; import '../../domain/d';",
      'src/client/features/x/f.tsx': "import './g'; import '../../coins/c'; import '../../ui/u'; import '../../platform/db/d';",
      'src/client/features/x/g.ts': '',
      'src/client/app/a.tsx': "import { lazy } from 'react'; const F = lazy(() => import('../features/x/f'));",
      'sw/index.ts': "import '../src/client/platform/db/d'; import '../src/contract/a';",
      'src/server/modules/x/routes.ts': "import type { Y } from '../y/service'; import '../../db/open';",
      'src/server/modules/y/service.ts': '',
      'src/server/db/open.ts': "import 'node:fs';",
    });
    expect(await brokenImportRules(kept)).toEqual([]);
  });
});
