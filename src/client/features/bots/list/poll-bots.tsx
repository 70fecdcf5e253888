import { useClaims } from '#client/platform/session/use-session.ts';
import { usePolledResource } from '#client/platform/use-polled-resource.ts';
import { botList } from '../bot-resources.ts';
import { pollInterval } from '../use-bots.ts';

/** Keeps the bots on the device fresh. Shows nothing. */
export function PollBots() {
  usePolledResource(botList, { userId: useClaims().sub }, pollInterval);
  return null;
}
