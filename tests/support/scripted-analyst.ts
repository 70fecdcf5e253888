import type { Analyst, Turn } from '../../src/server/ports/analyst/analyst';

export interface Asked {
  question: string;
  history: readonly Turn[];
}

/** An analyst that does what the test says, and remembers what it was asked. */
export interface ScriptedAnalyst extends Analyst {
  asked: Asked[];
  /** How it answers; `reset` brings back the default, which repeats the question. */
  respond: (question: string) => Promise<string>;
  reset(): void;
}

const repeat = async (question: string) => `You asked: ${question}`;

export function scriptedAnalyst(): ScriptedAnalyst {
  const analyst: ScriptedAnalyst = {
    asked: [],
    respond: repeat,
    reset() {
      analyst.asked = [];
      analyst.respond = repeat;
    },
    answer(question, { history }) {
      analyst.asked.push({ question, history });
      return analyst.respond(question);
    },
    title: (question) => question.slice(0, 40),
  };
  return analyst;
}

/** A door that whoever waits at it passes once it is opened. */
export function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
