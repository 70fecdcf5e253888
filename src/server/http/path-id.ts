import * as z from 'zod/mini';
import { uuid } from '#contract/chat/archive.ts';
import { idText } from '#contract/text.ts';
import { notFound } from './errors.ts';

/** Path parameters of a route about one row. */
export const idParams = z.object({ id: idText });

/** Returns the normalized id in a request's path. Throws 404 for text that is no id. */
export function pathId({ params }: { params: unknown }): string {
  const id = z.safeParse(uuid, (params as z.infer<typeof idParams>).id);
  if (!id.success) throw notFound();
  return id.data.toLowerCase();
}
