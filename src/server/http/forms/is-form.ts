import type { FastifyRequest } from 'fastify';

/** Whether a request announces a multipart form. */
export const isForm = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^multipart\/form-data/i.test(headers['content-type'] ?? '');
