/** Where pictures can be moved to: the bucket of the S3 settings, or DATA_DIR/blobs. */
export const BLOB_STORES = ['s3', 'files'] as const;
export type BlobStoreName = (typeof BLOB_STORES)[number];
