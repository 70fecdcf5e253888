import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { FIRST_QUESTIONS, HOSTILE_QUESTIONS, manyNames } from './hostile-questions.ts';

/** The quickest round counts: other programs on the machine only add. */
const ROUNDS = 6;

/** What answers took, by text, ms. */
export type Took = Record<string, number>;

/** Processor time in Node, which a busy machine does not stretch; a browser tells none. */
function now(): number {
  if (typeof process === 'undefined') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function timed(text: string): Promise<number> {
  const before = now();
  await answerQuestion(text, [], manyNames);
  return now() - before;
}

/** Answers each hostile text several times, after the index of names is built. */
async function answerHostile(): Promise<Took> {
  await timed('bitcoin price');
  const took: Took = {};
  for (const [name, text] of Object.entries(HOSTILE_QUESTIONS)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await timed(text));
    took[name] = Math.min(...times);
  }
  return took;
}

/** Answers an English question and then the first one of a language. Returns what that took. */
async function answerFirst(language: string): Promise<number> {
  await timed('bitcoin price');
  return timed(FIRST_QUESTIONS[language] ?? '');
}

Object.assign(globalThis, { answerHostile, answerFirst });
