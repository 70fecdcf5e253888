import useSWR from 'swr';
import { type ServerConfig, serverConfigAnswer } from '#contract/config.ts';
import { send } from './send.ts';

const read = async () => (await send('/config', { answer: serverConfigAnswer })).data;

/** Returns the server's public settings; undefined until they are loaded. */
export const useServerConfig = (): ServerConfig | undefined => useSWR('config', read, { revalidateOnFocus: false }).data;
