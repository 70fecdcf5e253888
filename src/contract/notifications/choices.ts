import * as z from 'zod/mini';

const byChannel = z.optional(
  z.object({
    email: z.optional(z.boolean()),
    push: z.optional(z.boolean()),
    telegram: z.optional(z.boolean()),
    webhook: z.optional(z.boolean()),
  }),
);

/** Whether notifications of a kind go by a channel, where the user has chosen. */
export const notificationChoices = z.object({
  subscription: byChannel,
  support: byChannel,
  security: byChannel,
  bot: byChannel,
  alert: byChannel,
});
export type NotificationChoices = z.infer<typeof notificationChoices>;
