import { firstList, listRequest, readChoice } from '#domain/market/list-address.ts';
import type { EarlyRequest } from '../platform/api/early-answer.ts';

const COIN_PAGE = /^\/crypto\/details\/(\d{1,9})\/?$/;

/**
 * Returns the request that the page of an address begins with; undefined for pages whose first request depends on more
 * than the address and the user.
 */
export function firstRequest({ pathname, search }: Pick<Location, 'pathname' | 'search'>, userId: string): EarlyRequest | undefined {
  if (/^\/crypto\/?$/.test(pathname)) {
    return { method: 'POST', path: '/coin-market/get-data', body: JSON.stringify(listRequest(firstList(readChoice(search)))) };
  }
  if (/^\/(home|archive)\/?$/.test(pathname)) return { method: 'GET', path: `/user/${userId}/archives/`, body: undefined };
  const [, coin] = COIN_PAGE.exec(pathname) ?? [];
  return coin ? { method: 'GET', path: `/coin-market/get-single-data/${coin}/${userId}`, body: undefined } : undefined;
}
