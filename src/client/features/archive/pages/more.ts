/** Paging of a list that shows only its start. */
export interface More {
  /** There may be further rows. */
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Error of the last `loadMore`. */
  moreError: unknown;
  /** Adds the next page to the list. Never rejects. */
  loadMore: () => Promise<void>;
}
