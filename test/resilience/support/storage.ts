import { randomUUID } from 'node:crypto';
import { startSwift } from '../../../scripts/services/swift.mjs';

/** The object store in which the servers of a resilience test keep their files, or their own disk. */
export interface ResilienceStorage {
	/** Returns the settings for one more installation: those of a new bucket, or none when the test uses the disk. */
	environment(): Promise<Record<string, string>>;
	stop(): Promise<void>;
}

/** Opens the storage of a resilience test, which is a real S3 store with `--s3`. */
export async function openStorage(): Promise<ResilienceStorage> {
	if (!process.argv.includes('--s3')) return { environment: async () => ({}), stop: async () => {} };
	const store = await startSwift();
	return {
		async environment() {
			const bucket = `resilience-${randomUUID()}`;
			await store.createBucket(bucket);
			return {
				S3_ENDPOINT: store.endpoint,
				S3_REGION: store.region,
				S3_BUCKET: bucket,
				S3_ACCESS_KEY_ID: store.accessKeyId,
				S3_SECRET_ACCESS_KEY: store.secretAccessKey,
			};
		},
		stop: store.stop,
	};
}
