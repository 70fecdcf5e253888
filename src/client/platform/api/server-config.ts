import useSWR from 'swr';
import { type ServerConfig, serverConfigAnswer } from '#contract/config.ts';
import { send } from './send.ts';

const read = async () => (await send('/config', { answer: serverConfigAnswer })).data;

/** What anybody may know of this server; undefined until it has said. */
export const useServerConfig = (): ServerConfig | undefined => useSWR('config', read, { revalidateOnFocus: false }).data;
