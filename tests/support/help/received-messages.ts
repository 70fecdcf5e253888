import type { RunningApp } from '../processes/app.ts';
import { operatorRows } from '../processes/operator.ts';

interface ReceivedMessage {
  email: string;
  message: string;
  files: { name: string; type: string; size: number }[];
}

/** Returns the messages to support on the server, read with the admin CLI. */
export const receivedMessages = async (app: RunningApp): Promise<ReceivedMessage[]> =>
  (await operatorRows(['contacts'], app.operatorEnv)) as unknown as ReceivedMessage[];
