import { join } from 'node:path';
import { AppError } from '../app-error.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../log.ts';
import { describeError } from '../log.ts';
import { createDiskStorage } from './disk/disk-storage.ts';
import type { RetryPolicy, S3Settings } from './s3/s3-client.ts';
import type { Storage } from './storage.ts';
import { claimStorage } from './storage-ownership.ts';

interface OpenStorageOptions {
	findInstallationId: () => Promise<string>;
	/** Whether the installation has files already, so that a folder without a marker file is its own. */
	hasFiles: () => Promise<boolean>;
	log: Log;
	retryPolicy?: RetryPolicy | undefined;
}

/** Opens the configured folder or bucket. @throws ConfigError when it is not ours or cannot be reached */
export function openStorage(config: Pick<Config, 'DATA_DIR' | 's3'>, opener: OpenStorageOptions): Promise<Storage> {
	return config.s3 === null ? openFolder(config.DATA_DIR, opener) : openBucket(config.s3, opener);
}

async function openFolder(
	dataDir: string,
	{ findInstallationId, hasFiles, log }: OpenStorageOptions,
): Promise<Storage> {
	const folder = join(dataDir, 'storage');
	const storage = createDiskStorage(folder);
	const owner = await claimStorage(storage, await findInstallationId(), hasFiles).catch(
		(error: NodeJS.ErrnoException) => {
			// On a full or broken disk a server still starts, and reports the failure.
			log.warn({ err: error }, 'the folder of stored files cannot be looked at');
			return 'ours' as const;
		},
	);
	if (owner === 'ours') return storage;
	throw new ConfigError(
		owner === 'another installation'
			? `Bad settings: the files in ${folder} belong to another Folio, whose database is not the one of these settings. Name that one, or another DATA_DIR.`
			: `Bad settings: ${folder} holds files that this database knows nothing of. Name the database that they belong to, or another DATA_DIR.`,
	);
}

const foreignBucketReasons = {
	'another installation':
		'belongs to another Folio, whose database is not the one of these settings. Name that one, or an empty bucket',
	'something else': 'holds objects of something else; Folio needs a bucket of its own, empty at first',
};

async function openBucket(
	s3: S3Settings,
	{ findInstallationId, log, retryPolicy: patience }: OpenStorageOptions,
): Promise<Storage> {
	// Imported only if needed: the S3 client takes 35 MB of memory and a fifth of a second.
	const { createS3Storage } = await import('./s3/s3-storage.ts');
	const storage = createS3Storage(s3, log, patience);
	const problem = await claimStorage(storage, await findInstallationId()).then(
		(owner) => (owner === 'ours' ? null : `S3_BUCKET ${s3.bucket} ${foreignBucketReasons[owner]}`),
		(error: unknown) => describeFailure(s3, error),
	);
	if (problem === null) return storage;
	await storage.close();
	throw new ConfigError(`Bad settings: ${problem}.`);
}

function describeFailure(s3: S3Settings, error: unknown): string {
	const cause = (error instanceof AppError ? error.cause : error) as NodeJS.ErrnoException;
	if (cause.name === 'NoSuchBucket') return `S3_BUCKET ${s3.bucket} does not exist`;
	// An error code of the operating system, not an answer of the store.
	if (/^E[A-Z]+$/u.test(cause.code ?? '')) return `S3_ENDPOINT ${s3.endpoint} does not answer: ${describeError(cause)}`;
	return `S3_BUCKET ${s3.bucket} cannot be used: ${describeError(cause)}`;
}
