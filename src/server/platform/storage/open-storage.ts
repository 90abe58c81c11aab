import { join } from 'node:path';
import { AppError } from '../app-error.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../log.ts';
import { describeError } from '../log.ts';
import { createDiskStorage } from './disk/disk-storage.ts';
import type { RetryPolicy, S3Settings } from './s3/s3-client.ts';
import type { Storage } from './storage.ts';
import { type ClaimableStorage, claimStorage } from './storage-ownership.ts';

interface OpenStorageOptions {
	findInstallationId: (storage: ClaimableStorage) => Promise<string>;
	/** Whether the database has rows of stored files. Then a folder without a marker is taken as our own. */
	hasFiles: () => Promise<boolean>;
	log: Log;
	/** The storage is checked, but not marked. */
	isReadOnly?: boolean;
	retryPolicy?: RetryPolicy | undefined;
}

/** Opens the configured folder or bucket. @throws ConfigError when it has another owner or cannot be reached */
export function openStorage(config: Pick<Config, 'DATA_DIR' | 's3'>, options: OpenStorageOptions): Promise<Storage> {
	return config.s3 === null ? openFolder(config.DATA_DIR, options) : openBucket(config.s3, options);
}

async function openFolder(dataDir: string, { findInstallationId, hasFiles, log, isReadOnly }: OpenStorageOptions) {
	const folder = join(dataDir, 'storage');
	const storage = createDiskStorage(folder);
	const owner = await claimStorage(storage, await findInstallationId(storage), hasFiles, isReadOnly).catch(
		(error: NodeJS.ErrnoException) => {
			// Not thrown, because a server must start even with a full or broken disk.
			log.warn({ err: error }, 'the owner of the folder of stored files could not be checked');
			return 'ours' as const;
		},
	);
	if (owner === 'ours') return storage;
	throw new ConfigError(
		owner === 'another installation'
			? `Invalid settings: the files in ${folder} belong to another Folio installation. Use the database of that installation, or another DATA_DIR.`
			: `Invalid settings: ${folder} contains files that are not recorded in this database. Use the database of these files, or another DATA_DIR.`,
	);
}

const foreignBucketReasons = {
	'another installation':
		'belongs to another Folio installation. Use the database of that installation, or an empty bucket',
	'something else': 'contains objects that Folio did not store. Use an empty bucket',
};

async function openBucket(s3: S3Settings, options: OpenStorageOptions) {
	const { findInstallationId, log, isReadOnly, retryPolicy } = options;
	// Imported only when needed, because the S3 client needs 35 MB of memory and 200 ms to load.
	const { createS3Storage } = await import('./s3/s3-storage.ts');
	const storage = createS3Storage(s3, log, retryPolicy);
	const problem = await findInstallationId(storage)
		.then((id) => claimStorage(storage, id, undefined, isReadOnly))
		.then(
			(owner) => (owner === 'ours' ? null : `S3_BUCKET ${s3.bucket} ${foreignBucketReasons[owner]}`),
			(error: unknown) => describeFailure(s3, error),
		);
	if (problem === null) return storage;
	await storage.close();
	throw new ConfigError(`Invalid settings: ${problem}.`);
}

function describeFailure(s3: S3Settings, error: unknown): string {
	const cause = (error instanceof AppError ? error.cause : error) as NodeJS.ErrnoException;
	if (cause.name === 'NoSuchBucket') return `S3_BUCKET ${s3.bucket} does not exist`;
	// An error code of the operating system means that the store sent no response.
	if (/^E[A-Z]+$/u.test(cause.code ?? '')) return `S3_ENDPOINT ${s3.endpoint} does not answer: ${describeError(cause)}`;
	return `S3_BUCKET ${s3.bucket} cannot be used: ${describeError(cause)}`;
}
