import type { Analyst, Picture, Reply, Turn } from '#server/ports/analyst/analyst.ts';

export interface Asked {
  question: string;
  history: readonly Turn[];
  picture?: Picture | undefined;
  signal: AbortSignal;
}

/** Creates an analyst that answers as the test says and records its questions. */
export interface ScriptedAnalyst extends Analyst {
  asked: Asked[];
  /** Answers a question. The default, which `reset` restores, repeats the question. */
  respond: (question: string, asked: Asked) => Promise<string | Reply>;
  reset(): void;
}

const repeat = async (question: string) => `You asked: ${question}`;

export function scriptedAnalyst(): ScriptedAnalyst {
  const analyst: ScriptedAnalyst = {
    kind: 'built-in',
    asked: [],
    respond: repeat,
    reset() {
      analyst.asked = [];
      analyst.respond = repeat;
    },
    async answer(question, context) {
      const asked = { question, ...context };
      analyst.asked.push(asked);
      const reply = await analyst.respond(question, asked);
      return typeof reply === 'string' ? { text: reply } : reply;
    },
    title: (question) => question.slice(0, 40),
  };
  return analyst;
}
