/** What a list can do that shows its beginning only. */
export interface More {
  /** There are, or may be, further rows. */
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Why the last `loadMore` brought nothing. */
  moreError: unknown;
  /** Takes one page more into the list. Never rejects. */
  loadMore: () => Promise<void>;
}
