import { ApiError } from '#client/platform/api/errors.ts';
import { isNotConfirmed } from '#client/platform/session/re-authentication.ts';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import { INVALID_KEY, NOT_REFERRED } from '#contract/bots/bot.ts';
import { PRODUCT } from '#domain/product.ts';
import { botMessage } from '../bot-call.ts';

/** Messages by the answer's `detail.code`. */
const REFUSALS: Record<number, string> = {
  [NOT_REFERRED]: `This account was not registered using ${PRODUCT}'s referral code. Please register with a valid referral code.`,
  [INVALID_KEY]: 'Invalid API key or secret. Please check your credentials.',
};

/** Describes why the bot was not created. */
export function creationError(error: unknown): Outcome {
  if (isNotConfirmed(error)) return { tone: 'failed', title: error.message };
  const code = error instanceof ApiError ? Number(error.detail.code) : undefined;
  const known = code === undefined ? undefined : REFUSALS[code];
  if (known) return { tone: 'failed', title: known };
  return {
    tone: 'failed',
    title: 'An error occurred while creating the trading bot.',
    detail: botMessage(error, 'Failed to create trading bot'),
  };
}
