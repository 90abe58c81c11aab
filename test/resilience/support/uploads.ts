import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { type Node, uploadsPath } from '#contract/files/files.ts';
import type { Client } from '../../support/services/server-client.ts';

const space = 'guest';
const tusHeaders = { 'tus-resumable': '1.0.0' };

/** Bytes with the hash that they must have when they are downloaded. */
export interface Sample {
	name: string;
	bytes: Buffer;
	sha256: string;
}

export function makeSample(name: string, sizeBytes: number): Sample {
	const bytes = randomBytes(sizeBytes);
	return { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Creates an upload in a space. @returns the URL that the server gave @throws Error with the status when refused */
export async function createUpload(owner: Client, sample: Sample, inSpace = space): Promise<string> {
	const metadata = Object.entries({ owner: inSpace, path: '', filename: sample.name })
		.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
		.join(',');
	const answer = await owner.request(uploadsPath, {
		method: 'POST',
		headers: { ...tusHeaders, 'upload-length': String(sample.bytes.length), 'upload-metadata': metadata },
	});
	const location = answer.headers.get('location');
	if (answer.status !== 201 || location === null) throw new Error(`creating an upload: ${answer.status}`);
	return location;
}

/** Sends all bytes from an offset. @returns the status, or null when the connection broke */
export async function sendFrom(
	owner: Client,
	location: string,
	sample: Sample,
	offset: number,
): Promise<number | null> {
	const answer = await owner
		.request(location, {
			method: 'PATCH',
			headers: {
				...tusHeaders,
				'upload-offset': String(offset),
				'content-type': 'application/offset+octet-stream',
			},
			body: new Uint8Array(sample.bytes.subarray(offset)),
		})
		.catch(() => null);
	return answer?.status ?? null;
}

/**
 * Finishes an interrupted upload as a client that knows its URL does: requests the offset and sends the rest, never
 * from the beginning.
 * @returns what went wrong, or null
 */
export async function resumeUpload(owner: Client, location: string, sample: Sample): Promise<string | null> {
	const asked = await owner.request(location, { method: 'HEAD', headers: tusHeaders });
	const offset = Number(asked.headers.get('upload-offset') ?? Number.NaN);
	if (asked.status !== 200 || Number.isNaN(offset))
		return `${sample.name}: the acknowledged upload is gone (${asked.status})`;
	if (offset === sample.bytes.length) return null;
	const status = await sendFrom(owner, location, sample, offset);
	return status === 204 ? null : `${sample.name}: resuming at ${offset} was answered with ${status}`;
}

/** Checks that files are in the guest space once, with the right bytes. @returns what is wrong */
export async function findDifferences(owner: Client, samples: Sample[]): Promise<string[]> {
	const faults: string[] = [];
	for (const sample of samples) {
		const fault = await findDifference(owner, sample);
		if (fault !== null) faults.push(fault);
	}
	return faults;
}

async function findDifference(owner: Client, sample: Sample): Promise<string | null> {
	const search = `/api/spaces/${space}/nodes?limit=1000&search=${encodeURIComponent(sample.name)}`;
	const { items } = await owner.get<{ items: Node[] }>(search);
	const found = items.filter((node) => node.name === sample.name);
	const url = found[0]?.url;
	if (found.length !== 1 || url == null) return `${sample.name} exists ${found.length} times`;
	const hash = createHash('sha256');
	const { body } = await owner.request(`${url}?download=1`);
	for await (const chunk of body ?? []) hash.update(chunk);
	return hash.digest('hex') === sample.sha256 ? null : `${sample.name} has other bytes than were sent`;
}

/** Uploads a file with tus-js-client, which doubles the chunks and continues by itself after each lost connection. */
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
