import { INVALID_KEY, NOT_REFERRED } from '../../../contract/bot';
import { PRODUCT } from '../../../domain/product';
import { ApiError } from '../../platform/api/errors';
import { isNotConfirmed } from '../../platform/session/proof';
import type { Outcome } from '../../ui/outcome-note';
import { botMessage } from './bot-call';

/** By `detail.code` (spec §8). */
const REFUSALS: Record<number, string> = {
  [NOT_REFERRED]: `This account was not registered using ${PRODUCT}'s referral code. Please register with a valid referral code.`,
  [INVALID_KEY]: 'Invalid API key or secret. Please check your credentials.',
};

/** Why no bot was created; what was typed stays. */
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
