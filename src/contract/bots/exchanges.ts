import * as z from 'zod/mini';
import { EXCHANGE_NAMES } from './exchange-names.ts';

export const exchangeName = z.enum(EXCHANGE_NAMES);
