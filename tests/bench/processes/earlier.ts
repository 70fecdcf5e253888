import { createDatabase } from '#tests/support/cluster/cluster.ts';
import { startApp } from '#tests/support/processes/app.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { buildRelease } from '#tests/support/processes/release.ts';
import { closeStage, compareStages, openStage, type Stage, stageSettings, startQuickModel } from './stages.ts';

/** The commit whose figures issue 17 asks to beat. */
const EARLIER = '09a05b25';

/**
 * Measures one process of this build beside one of an earlier build, in turn: both on PostgreSQL, then both on the
 * embedded database. Yields lines to print. Needs the network once, for the packages of the earlier build.
 */
export async function* earlierBench(): AsyncGenerator<string> {
  const { program } = await buildRelease(EARLIER);
  const postgres = await startPostgres();
  if (!postgres) throw new Error('PostgreSQL is not installed.');
  try {
    yield* compareBuilds('PostgreSQL', program, async () => ({ DATABASE_URL: (await createDatabase(postgres.url)).url }));
  } finally {
    await postgres.stop();
  }
  yield* compareBuilds('Embedded database', program, async () => ({}));
}

type Settings = () => Promise<Record<string, string>>;

async function* compareBuilds(database: string, earlier: string, settings: Settings): AsyncGenerator<string> {
  const model = await startQuickModel();
  const stages: Stage[] = [];
  const open = async (name: string, program?: string): Promise<Stage> => {
    const app = await startApp({ ...stageSettings(model), ...(await settings()) }, undefined, program);
    const stage = await openStage({ name, app, processes: [app] });
    stages.push(stage);
    return stage;
  };
  try {
    const now = await open('this build');
    for await (const line of compareStages([now, await open(EARLIER, earlier)])) yield `${database}. ${line}`;
  } finally {
    for (const stage of stages) await closeStage(stage);
    await model.close();
  }
}
