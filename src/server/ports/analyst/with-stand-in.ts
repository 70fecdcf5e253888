import { PRODUCT } from '#domain/product.ts';
import { PictureUnreadable } from '#server/pictures/picture-reader.ts';
import type { Analyst } from './analyst.ts';

interface Parts {
  model: Omit<Analyst, 'title'>;
  builtIn: Analyst;
  /** How long the model may take altogether, ms: the built-in analyst needs what is left of the answer's time. */
  patience: number;
  /** Told why the model did not answer. */
  report: (error: unknown) => void;
}

export const STAND_IN = `The language model cannot be reached at the moment. ${PRODUCT}'s built-in analyst answers instead:`;

/** A model's answers, and the built-in analyst's, which say so, when there is none. */
export const withStandIn = ({ model, builtIn, patience, report }: Parts): Analyst => ({
  kind: 'model',
  async answer(question, context) {
    try {
      return await model.answer(question, { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(patience)]) });
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof PictureUnreadable) throw error;
      report(error);
      const reply = await builtIn.answer(question, context);
      return { ...reply, text: `${STAND_IN}\n\n${reply.text}` };
    }
  },
  title: builtIn.title,
});
