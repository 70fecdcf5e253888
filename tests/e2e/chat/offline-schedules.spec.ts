import { expect } from '@playwright/test';
import { runQuestionSchedule } from '#tests/faults/questions/offline-questions.ts';
import { test } from '../fixtures.ts';

/** `npm run faults` runs more schedules. */
const SCHEDULES = Number(process.env.QUESTION_SCHEDULES ?? 2);
const FIRST_SEED = Number(process.env.QUESTION_SEED ?? 1);

for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++)
  test(`questions asked offline in two tabs of a killed browser arrive once, schedule ${seed}`, async ({ app }) => {
    const { faults, ...report } = await runQuestionSchedule(app, seed);
    console.log(`schedule ${seed}: ${JSON.stringify(report)}`);
    expect(faults).toEqual([]);
    expect(report.asked).toBeGreaterThan(0);
  });
