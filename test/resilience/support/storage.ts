import { randomUUID } from 'node:crypto';
import { startSwift } from '../../../scripts/services/swift.mjs';

/** The stores that a resilience test's servers keep their files in, by their settings: none of them on a disk. */
export interface ResilienceStorage {
	/** Settings for one more installation: in a new bucket, or nothing where the test is on the disk. */
	environment(): Promise<Record<string, string>>;
	stop(): Promise<void>;
}

/** `--s3` puts a resilience test on a real S3 store. */
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
