import type { FastifyRequest } from 'fastify';

/** Returns whether a request has a multipart form. */
export const isForm = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^multipart\/form-data/i.test(headers['content-type'] ?? '');
