import * as z from 'zod/mini';

/**
 * PUT /archive/{id}/pin pins a chat, or takes it off, and answers `archiveAnswer`. A pinned one keeps its place. Accepts an
 * Idempotency-Key, answers 404 for an unknown id, and emits `generate_title_response` to the user's devices.
 */
export const pinBody = z.object({ pinned: z.boolean() });
