import fastify from 'fastify';
import { expect, test } from 'vitest';
import { answerError } from '#server/http/error-handler.ts';
import { busy } from '#server/http/errors.ts';

test('work that the server has too much of is refused with a time to retry', async () => {
  const app = fastify();
  app.setErrorHandler(answerError);
  app.get('/', async () => {
    throw busy('Try again.');
  });
  const response = await app.inject('/');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json()).toMatchObject({ status: 503, code: 'busy', message: 'Try again.' });
});
