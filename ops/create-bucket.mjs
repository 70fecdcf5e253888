// Creates the bucket of S3_BUCKET unless it exists. ops/compose.yaml runs it once, before the servers.
import { BucketAlreadyExists, BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env;
const s3 = new S3Client({
  endpoint: S3_ENDPOINT,
  region: S3_REGION ?? 'us-east-1',
  forcePathStyle: true,
  // Its server may still be starting.
  maxAttempts: 10,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
});
try {
  await s3.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
} catch (error) {
  if (!(error instanceof BucketAlreadyOwnedByYou) && !(error instanceof BucketAlreadyExists)) throw error;
}
