import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/platform/storage/s3/s3-client.ts';

/** Settings of an S3 store, without a bucket. */
export type StoreSettings = Omit<S3Settings, 'bucket' | 'endpoint'> & { endpoint: string };

/** Creates an empty bucket. It is deleted together with its store. */
export async function createBucket(store: StoreSettings): Promise<S3Settings> {
	const bucket = `test-${randomUUID()}`;
	const { accessKeyId, secretAccessKey } = store;
	const client = new S3Client({
		endpoint: store.endpoint,
		region: store.region,
		forcePathStyle: true,
		credentials: { accessKeyId, secretAccessKey },
	});
	try {
		await client.send(new CreateBucketCommand({ Bucket: bucket }));
	} finally {
		client.destroy();
	}
	return { ...store, bucket };
}

/** Returns the environment variables of an app that stores its files in this bucket. */
export function bucketEnvironment(s3: S3Settings): Record<string, string> {
	return {
		S3_ENDPOINT: s3.endpoint ?? '',
		S3_REGION: s3.region,
		S3_BUCKET: s3.bucket,
		S3_ACCESS_KEY_ID: s3.accessKeyId,
		S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
	};
}
