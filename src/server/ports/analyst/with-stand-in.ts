import { moveFigures } from '#domain/analyst/answers/told.ts';
import { PRODUCT } from '#domain/product.ts';
import { measure } from '#server/metrics/measurements.ts';
import { PictureUnreadable } from '#server/pictures/picture-reader.ts';
import { inSpan } from '#server/tracing/spans.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { Analyst } from './analyst.ts';
import { BudgetUsedUp } from './costs.ts';

interface Parts {
  model: Omit<Analyst, 'title'>;
  builtIn: Analyst;
  /** Time limit of the model, ms. The rest of the answer's time is for the built-in analyst. */
  patience: number;
  /** Called with the reason why the model did not answer. */
  report: (error: unknown) => void;
}

export const STAND_IN = `The language model cannot be reached at the moment. ${PRODUCT}'s built-in analyst answers instead:`;

export const USED_UP = `Today's budget for the language model is used up. It starts again at 00:00 UTC. ${PRODUCT}'s built-in analyst answers instead:`;

/** Answers with the model, or with the built-in analyst if the model fails; that answer says so. */
export const withStandIn = ({ model, builtIn, patience, report }: Parts): Analyst => ({
  kind: 'model',
  async answer(question, context) {
    try {
      const reply = await inSpan('language_model', { kind: 'client' }, () =>
        withDeadline(patience, context.signal, (signal) => model.answer(question, { ...context, signal })),
      );
      measure('providerCall', { provider: 'language_model', outcome: 'ok' });
      return reply;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof PictureUnreadable) throw error;
      const isUsedUp = error instanceof BudgetUsedUp;
      if (!isUsedUp) {
        report(error);
        measure('providerCall', { provider: 'language_model', outcome: 'error' });
      }
      const reply = await builtIn.answer(question, context);
      const before = `${isUsedUp ? USED_UP : STAND_IN}\n\n`;
      return { ...reply, text: before + reply.text, figures: reply.figures && moveFigures(reply.figures, before.length) };
    }
  },
  title: builtIn.title,
});
