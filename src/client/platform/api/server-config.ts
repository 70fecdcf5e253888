import useSWR from 'swr';
import type { ServerConfig } from '#contract/config.ts';
import { send } from './send.ts';

const answer = () => import('#contract/config.ts').then(({ serverConfigAnswer }) => serverConfigAnswer);

const read = async () => (await send('/config', { answer })).data;

/** Returns the server's public settings; undefined until they are loaded. */
export const useServerConfig = (): ServerConfig | undefined => useSWR('config', read, { revalidateOnFocus: false }).data;
