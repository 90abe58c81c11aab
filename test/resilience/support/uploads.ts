import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { type Node, uploadsPath } from '#contract/files/files.ts';
import { sendFrom, tusHeaders } from '../../support/browser/seeding.ts';
import { type Client, exchange } from '../../support/services/server-client.ts';

const space = 'guest';

/** Bytes to upload, with the hash that the downloaded bytes must have. */
export interface Sample {
	name: string;
	bytes: Buffer;
	sha256: string;
}

export function makeSample(name: string, sizeBytes: number): Sample {
	const bytes = randomBytes(sizeBytes);
	return { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Finishes an interrupted upload by its URL, like a tus client. @returns the fault, or null */
export async function resumeUpload(owner: Client, location: string, sample: Sample): Promise<string | null> {
	const head = await owner.request(location, { method: 'HEAD', headers: tusHeaders });
	const offset = Number(head.headers.get('upload-offset') ?? Number.NaN);
	if (head.status !== 200 || Number.isNaN(offset))
		return `${sample.name}: the acknowledged upload is gone (${head.status})`;
	if (offset === sample.bytes.length) return null;
	const status = await sendFrom(owner, location, sample.bytes, offset);
	return status === 204 ? null : `${sample.name}: resuming at ${offset} was answered with ${status}`;
}

/** Sends a file in its creation request. @returns the status, or null when the connection was lost */
export async function sendWhole(owner: Client, id: string, { name, bytes }: Sample): Promise<number | null> {
	const metadata = Object.entries({ owner: space, path: '', filename: name, id })
		.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
		.join(',');
	const headers = {
		...tusHeaders,
		cookie: owner.cookie(),
		'content-type': 'application/offset+octet-stream',
		'content-length': bytes.length,
		'upload-length': bytes.length,
		'upload-metadata': metadata,
	};
	// Without an agent, no connection to a killed server is used again.
	const options = { method: 'POST', headers, agent: false } as const;
	const answer = await exchange(`${owner.url}${uploadsPath}`, options, bytes).catch(() => null);
	return answer?.status ?? null;
}

/** Checks that each file is in the guest space once, with the right bytes. @returns the faults */
export async function findDifferences(owner: Client, samples: Sample[]): Promise<string[]> {
	const faults: string[] = [];
	for (const sample of samples) faults.push(...(await findDifference(owner, sample)));
	return faults;
}

async function findDifference(owner: Client, sample: Sample): Promise<string[]> {
	const search = `/api/spaces/${space}/nodes?limit=1000&search=${encodeURIComponent(sample.name)}`;
	const { items } = await owner.get<{ items: Node[] }>(search);
	const matches = items.filter((node) => node.name === sample.name);
	const url = matches[0]?.url;
	if (matches.length !== 1 || url == null) return [`${sample.name} exists ${matches.length} times`];
	const hash = createHash('sha256');
	const { body } = await owner.request(`${url}?download=1`);
	for await (const chunk of body ?? []) hash.update(chunk);
	return hash.digest('hex') === sample.sha256 ? [] : [`${sample.name} has other bytes than were sent`];
}

/** Uploads a file in chunks of doubling size with tus-js-client, which retries after a lost connection. */
export function uploadWithRetries(
	owner: Client,
	name: string,
	content: Buffer | ReadStream,
	onProgress: (sentBytes: number) => void = () => {},
): Promise<{ retries: number }> {
	return new Promise((resolve, reject) => {
		let retries = 0;
		const upload = new Upload(content, {
			endpoint: `${owner.url}${uploadsPath}`,
			headers: { cookie: owner.cookie() },
			metadata: { owner: space, path: '', filename: name },
			chunkSize: limits.uploadFirstChunkBytes,
			retryDelays: Array<number>(200).fill(100),
			onProgress,
			onChunkComplete: () => {
				const current = upload.options.chunkSize ?? limits.uploadFirstChunkBytes;
				upload.options.chunkSize = Math.min(current * 2, limits.uploadLargestChunkBytes);
			},
			onShouldRetry: () => {
				retries += 1;
				return true;
			},
			onError: reject,
			onSuccess: () => resolve({ retries }),
		});
		upload.start();
	});
}
