import { join } from 'node:path';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { proxyApp } from '../pages/app-proxy.ts';
import { buildPages, PAGES, type PageName } from '../pages/build-pages.ts';
import { type Certificate, createCertificate } from '../pages/certificate.ts';
import { ROWS } from '../pages/coins.ts';
import { type LocalServer, servePage } from '../pages/page-server.ts';
import { runRounds } from '../rounds.ts';
import type { Workspace } from '../workspace.ts';
import { type AppProfiles, createAppProfiles } from './app-profiles.ts';
import type { Phase, Sample } from './bars.ts';
import { installPage, measure, type Subject } from './measure.ts';
import { userScreens } from './screens.ts';

interface Options {
  workspace: Workspace;
  rounds: number;
  /** No further round starts if the rounds would take longer, ms. */
  limit: number;
  phases: readonly Phase[];
  /** Folder of a built checkout. */
  checkout: string;
  /** Called before each visit. */
  onVisit: (text: string) => void;
}

/** A new user signs up after this time: a session older than 15 minutes would add a token refresh to a visit. */
const FRESH_MS = 8 * 60_000;
const LAST_ROW = `tbody tr:nth-child(${ROWS})`;

export interface ServedApp {
  app: RunningApp;
  server: LocalServer;
}

/** Starts the app behind an HTTP/2 proxy. Its `url` is the proxy's. */
export async function serveApp(workspace: Workspace, certificate: Certificate, checkout: string): Promise<ServedApp> {
  let port = 0;
  const server = await proxyApp(certificate, () => port);
  const program = join(checkout, 'dist/server/main.js');
  const started = await startApp({ PUBLIC_URL: server.url, TRUST_PROXY: 'on' }, workspace.folder('data'), program);
  workspace.own(() => started.pid);
  port = Number(new URL(started.url).port);
  return { app: { ...started, url: server.url }, server };
}

/** Serves and installs the reference pages. */
async function servePages(workspace: Workspace, certificate: Certificate): Promise<Record<PageName, Subject>> {
  const built = await buildPages();
  const pages = {} as Record<PageName, Subject>;
  for (const target of PAGES) {
    const server = await servePage(built[target], certificate);
    const page = { url: `${server.url}/`, selector: LAST_ROW, isReact: target !== 'static' };
    pages[target] = { ...page, target, server, profile: await installPage(workspace, certificate.pin, page) };
  }
  return pages;
}

/** Returns the pages of a signed-in user: all of them on the device that holds the app, and the market without it. */
export function userPages({ app, server }: ServedApp, { chat, signedIn, cold }: AppProfiles): Record<'offline-4x' | 'cold', Subject[]> {
  const pages = userScreens(app.url, chat).map((screen) => ({ ...screen, server, isReact: true }));
  return {
    'offline-4x': pages.map((page) => ({ ...page, profile: signedIn })),
    cold: pages.filter(({ target }) => target === 'crypto').map((page) => ({ ...page, profile: cold })),
  };
}

/** Returns a function that returns what `create` makes for a new user, and makes it again when that user's session is no longer fresh. */
export function forFreshUser<T>(create: () => Promise<T>): () => Promise<T> {
  let made: { subjects: T; at: number } | undefined;
  return async () => {
    if (made && performance.now() - made.at <= FRESH_MS) return made.subjects;
    const at = performance.now();
    made = { subjects: await create(), at };
    return made.subjects;
  };
}

/** Returns what a round with a new user visits in a phase: reference pages and the app in turn, so that a busy machine slows both. */
async function subjectsOf(
  { workspace }: Options,
  { pin }: Certificate,
  served: ServedApp,
  pages: Record<PageName, Subject>,
): Promise<Record<Phase, Subject[]>> {
  const { app, server } = served;
  const profiles = await createAppProfiles({ workspace, app, pin });
  const own = userPages(served, profiles);
  const references = Object.values(pages);
  const fresh = references.map(({ profile: _, ...page }) => page);
  const visitor = { server, profile: profiles.onboarded, isReact: true };
  return {
    cold: [...fresh, ...own.cold],
    'first-visit': [
      ...fresh.filter(({ target }) => target === 'static'),
      // Its mark is a drawing, whose frame Chromium does not stamp.
      { target: 'splash', url: `${app.url}/`, selector: undefined, server, isReact: false },
      { ...visitor, target: 'sign-up', url: `${app.url}/sign-up`, selector: 'form input' },
    ],
    'offline-4x': [...references, ...own['offline-4x']],
    heap: [...references, ...own['offline-4x'].filter(({ target }) => target === 'crypto')],
  };
}

export interface FirstScreens {
  samples: Sample[];
  rounds: number;
  /** Visits that failed, with their errors. */
  failures: string[];
}

/** Measures the phases in rounds. A failed visit has no sample and stops nothing. */
export async function measureFirstScreens(options: Options): Promise<FirstScreens> {
  const { workspace, phases, checkout, onVisit } = options;
  const certificate = createCertificate(workspace.folder('certificate'));
  onVisit('building and installing the reference pages');
  const pages = await servePages(workspace, certificate);
  const served = await serveApp(workspace, certificate, checkout);
  const [samples, failures]: [Sample[], string[]] = [[], []];
  const subjectsNow = forFreshUser(() => {
    onVisit('signing up');
    return subjectsOf(options, certificate, served, pages);
  });
  const visit = async (subject: Subject, phase: Phase, round: string) => {
    onVisit(`${round}: ${phase}, ${subject.target}`);
    try {
      const measured = await measure(workspace, certificate.pin, phase, subject);
      samples.push({ target: subject.target, phase, ...measured });
    } catch (error) {
      failures.push(`${phase} ${subject.target}: ${error instanceof Error ? error.message : error}`);
    }
  };
  try {
    const rounds = await runRounds(options.rounds, options.limit, async (number) => {
      const round = `round ${number} of ${options.rounds}`;
      const subjects = await subjectsNow();
      for (const phase of phases) for (const subject of subjects[phase]) await visit(subject, phase, round);
    });
    return { samples, rounds, failures };
  } finally {
    await served.app.stop();
    for (const { server } of [served, ...Object.values(pages)]) server.close();
  }
}
