import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { bucketEnvironment, createBucket, type StoreSettings, startSwift } from '../../../scripts/services/swift.mjs';

declare module 'vitest' {
	export interface ProvidedContext {
		/** The run's S3 store; null when the run stores files on disk. */
		s3Store: StoreSettings | null;
	}
}

/** The storage that this Vitest project uses, set in vitest.config.ts. */
export const testStorage = readTestStorage(process.env);

/** Vitest's global setup: starts one S3 store for projects that use it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
	if (readTestStorage(project.config.env) === 'disk') {
		project.provide('s3Store', null);
		return undefined;
	}
	const { settings, stop } = await startSwift();
	project.provide('s3Store', settings);
	return stop;
}

/** Returns the run's S3 store, or starts one. `release` stops the store only if this call started it. */
export async function openStore(): Promise<{ settings: StoreSettings; release(): Promise<void> }> {
	const shared = inject('s3Store');
	if (shared !== null) return { settings: shared, release: async () => {} };
	const { settings, stop } = await startSwift();
	return { settings, release: stop };
}

/** Creates a bucket for an app. @returns the app's environment variables; none when the run stores files on disk */
export async function environmentOfRun(): Promise<Record<string, string>> {
	const store = inject('s3Store');
	return store === null ? {} : bucketEnvironment(await createBucket(store));
}

function readTestStorage(env: Partial<Record<string, string>> = {}): 'disk' | 's3' {
	return env.FOLIO_TEST_STORAGE === 's3' ? 's3' : 'disk';
}
