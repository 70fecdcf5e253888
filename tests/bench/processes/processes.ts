import { startCluster } from '#tests/support/cluster/cluster.ts';
import { startServices } from '#tests/support/cluster/services.ts';
import { closeStage, compareStages, openStage, type Stage, stageSettings, startQuickModel } from './stages.ts';

/** Measures three web processes beside one, in turn, each behind HAProxy with PostgreSQL. Yields lines to print. */
export async function* processesBench(): AsyncGenerator<string> {
  const services = await startServices({ redis: false });
  const model = await startQuickModel();
  const stages: Stage[] = [];
  const open = async (name: string, count: number): Promise<Stage> => {
    const app = await startCluster(services, stageSettings(model), { roles: Array.from({ length: count }, () => 'web' as const) });
    const stage = await openStage({ name, app, processes: app.processes });
    stages.push(stage);
    return stage;
  };
  try {
    const one = await open('one process', 1);
    yield* compareStages([await open('three', 3), one]);
  } finally {
    for (const stage of stages) await closeStage(stage);
    await model.close();
    await services.stop();
  }
}
