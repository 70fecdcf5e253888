import { median } from '../median.ts';
import { createCertificate } from '../pages/certificate.ts';
import { runRounds } from '../rounds.ts';
import type { Workspace } from '../workspace.ts';
import { createAppProfiles } from './app-profiles.ts';
import type { Figures, Phase, Screen } from './bars.ts';
import { forFreshUser, serveApp, userPages } from './first-screen.ts';
import { measure, type Subject } from './measure.ts';

/** Phases in which two builds can be compared. */
export const COMPARED = ['offline-4x', 'cold'] as const satisfies readonly Phase[];
export type ComparedPhase = (typeof COMPARED)[number];

interface Options {
  workspace: Workspace;
  rounds: number;
  phases: readonly ComparedPhase[];
  /** Folders of two built checkouts: the one in question, and the one that it is compared with. */
  builds: readonly [string, string];
  onVisit: (text: string) => void;
}

/** Figures of one page and phase, of both builds: one visit of each for each round in which both were measured. */
export interface Pair {
  phase: ComparedPhase;
  target: Screen;
  visits: Pick<Figures, 'visible' | 'takenOver'>[][];
}

/**
 * Visits each page of two builds in turn, so that a busy machine slows both, and each build comes first in every other round. A failed
 * visit leaves its round out.
 */
export async function compareBuilds(options: Options): Promise<{ pairs: Pair[]; rounds: number; failures: string[] }> {
  const { workspace, phases, builds, onVisit } = options;
  const certificate = createCertificate(workspace.folder('certificate'));
  const served = [await serveApp(workspace, certificate, builds[0]), await serveApp(workspace, certificate, builds[1])];
  const pairs = new Map<string, Pair>();
  const failures: string[] = [];
  const pagesNow = forFreshUser(async () => {
    const pages: ReturnType<typeof userPages>[] = [];
    for (const each of served) {
      onVisit('signing up');
      pages.push(userPages(each, await createAppProfiles({ workspace, app: each.app, pin: certificate.pin })));
    }
    return pages;
  });

  /** `both`: the same page of each build. */
  async function visitBoth(phase: ComparedPhase, both: readonly Subject[], round: number) {
    const visits: Pair['visits'][number] = [];
    for (const build of round % 2 ? [0, 1] : [1, 0]) {
      const subject = both[build] as Subject;
      onVisit(`round ${round} of ${options.rounds}: ${phase}, ${subject.target}, ${builds[build]}`);
      const { visible = Number.NaN, takenOver = Number.NaN } = (await measure(workspace, certificate.pin, phase, subject)).figures;
      visits[build] = { visible, takenOver };
    }
    const target = both[0]?.target as Screen;
    const pair = pairs.get(`${phase}/${target}`) ?? { phase, target, visits: [] };
    pair.visits.push(visits);
    pairs.set(`${phase}/${target}`, pair);
  }

  try {
    const rounds = await runRounds(options.rounds, Number.POSITIVE_INFINITY, async (round) => {
      const pages = await pagesNow();
      for (const phase of phases)
        for (const at of pages[0]?.[phase].keys() ?? []) {
          const both = pages.map((page) => page[phase][at] as Subject);
          await visitBoth(phase, both, round).catch((error: Error) => failures.push(`${phase}: ${error.message}`));
        }
    });
    return { pairs: [...pairs.values()], rounds, failures };
  } finally {
    for (const { app, server } of served) {
      await app.stop();
      server.close();
    }
  }
}

/** Returns a table: the medians of both builds, and the median of the ratios of single rounds. */
export function comparisonRows(pairs: readonly Pair[]): string[][] {
  const head = ['Phase', 'Page', 'Visible, ms', 'The other', 'Ratio', 'React, ms', 'The other', 'Ratio', 'Rounds'];
  const columns = (visits: Pair['visits'], figure: 'visible' | 'takenOver') => {
    const of = (build: number) => visits.map((visit) => visit[build]?.[figure] ?? Number.NaN);
    const ratios = of(0).map((own, round) => own / (of(1)[round] ?? Number.NaN));
    return [median(of(0)).toFixed(0), median(of(1)).toFixed(0), median(ratios).toFixed(2)];
  };
  return [
    head,
    ...pairs.map(({ phase, target, visits }) => [
      phase,
      target,
      ...columns(visits, 'visible'),
      ...columns(visits, 'takenOver'),
      String(visits.length),
    ]),
  ];
}
