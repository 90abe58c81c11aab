import { Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { uploadsPath } from '#contract/files/files.ts';
import type { UploadConflict } from '#contract/files/uploads.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { deleteHandle, type FileHandle, storeHandle } from './stored-file-handles.ts';
import {
	createRetryDeadline,
	isWorthRetrying,
	nextChunkBytes,
	retryDelaysMs,
	type UploadFailure,
} from './transfer-policy.ts';
import { errorBodyOf, preventRestart, toUploadFailure } from './tus-errors.ts';
import { lockUpload } from './unfinished-uploads.ts';

/** `path`: the folder of the file. `resumeId`: the id of an unfinished upload to resume. */
export interface UploadDestination {
	path: string;
	resumeId?: string;
}

export interface UploadSource {
	file: File;
	owner: string;
	conflict: UploadConflict;
	/** Creates the parent folders and returns the destination. @throws FailedCall */
	findDestination: () => Promise<UploadDestination>;
	/** Finds the handle that allows resuming the upload in another tab; null if the file has no handle. */
	findHandle: () => Promise<FileHandle | null>;
}

export interface TransportEvents {
	onCreated: (upload: { path: string; uploadId: string }) => void;
	onProgress: (sentBytes: number) => void;
	/** Called when the connection or the server is down. The transport retries. */
	onWaiting: () => void;
	onSuccess: () => void;
	/** `message`: the server's localized message; '' without a response. */
	onFailure: (failure: UploadFailure, message: string) => void;
}

/** An upload of one file. `start` also resumes. `pause` keeps the stored bytes; `cancel` deletes them. */
export interface Transport {
	start: () => Promise<void>;
	pause: () => Promise<void>;
	cancel: () => Promise<void>;
	/** Releases the lock that marks the upload as running in this tab. */
	releaseLock: () => void;
}

export type CreateTransport = (source: UploadSource, events: TransportEvents) => Transport;

/**
 * Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) with growing chunks and long retries. A file that fits
 * into the first chunk is sent in the creation request. The browser chooses the upload's id, so that the upload can be
 * found on the server even if the response to its creation was lost.
 * @param retryMs returns how many milliseconds to retry without a success
 */
export function createTusTransport(retryMs: () => number): CreateTransport {
	return ({ file, owner, conflict, findDestination, findHandle }, events) => {
		const deadline = createRetryDeadline(retryMs);
		// Becomes false on pause or cancel, which can happen before the destination is found.
		let isStarted = false;
		let uploadUrl: string | null = null;
		let unlock = () => {};
		let deleteStoredHandle = async () => {};
		const upload = new Upload(file, {
			endpoint: new URL(uploadsPath, window.location.origin).href,
			metadata: {},
			fileReader,
			chunkSize: limits.uploadFirstChunkBytes,
			uploadDataDuringCreation: file.size <= limits.uploadFirstChunkBytes,
			retryDelays: retryDelaysMs,
			storeFingerprintForResuming: false,
			onProgress: (sentBytes) => events.onProgress(sentBytes),
			onChunkComplete: () => {
				deadline.reset();
				upload.options.chunkSize = nextChunkBytes(upload.options.chunkSize ?? limits.uploadFirstChunkBytes);
			},
			onAfterResponse: preventRestart,
			onShouldRetry: (error) => {
				upload.options.uploadUrl = uploadUrl;
				const failure = toUploadFailure(error);
				const willRetry = isWorthRetrying(failure) && deadline.hasTimeLeft();
				if (willRetry) events.onWaiting();
				if (willRetry && failure.status === 0) void failIfUnreadable();
				return willRetry;
			},
			onSuccess: () => {
				unlock();
				void deleteStoredHandle();
				events.onSuccess();
			},
			onError: (error) => {
				upload.options.uploadUrl = uploadUrl;
				deadline.reset();
				events.onFailure(toUploadFailure(error), errorBodyOf(error).message);
			},
		});

		/** Fails the upload if the file was changed or removed, which tus-js-client reports as a network error. */
		async function failIfUnreadable(): Promise<void> {
			try {
				await file.slice(0, 1).arrayBuffer();
			} catch {
				await upload.abort();
				events.onFailure({ method: '', status: 0, code: unreadableFileCode }, '');
			}
		}

		async function prepare(): Promise<void> {
			const { path, resumeId } = await findDestination();
			const id = resumeId ?? newUploadId();
			uploadUrl = new URL(`${uploadsPath}/${id}`, window.location.origin).href;
			if (resumeId !== undefined) upload.options.uploadUrl = uploadUrl;
			const { name, type, lastModified } = file;
			upload.options.metadata = {
				owner,
				path,
				filename: name,
				filetype: type,
				id,
				modified: String(lastModified),
				conflict,
			};
			unlock = lockUpload(id);
			deleteStoredHandle = file.size > limits.uploadFirstChunkBytes ? storeFileHandle(id, findHandle) : async () => {};
			events.onCreated({ path, uploadId: id });
		}

		return {
			start: async () => {
				isStarted = true;
				try {
					if (uploadUrl === null) await prepare();
				} catch (error) {
					const { status, code, message } = describeFailure(error);
					if (isStarted) events.onFailure({ method: 'POST', status, code }, message);
					return;
				}
				if (isStarted) upload.start();
			},
			pause: () => {
				isStarted = false;
				upload.options.uploadUrl = uploadUrl;
				return upload.abort();
			},
			releaseLock: () => unlock(),
			cancel: async () => {
				isStarted = false;
				unlock();
				void deleteStoredHandle();
				await upload.abort();
				if (uploadUrl !== null) await Upload.terminate(uploadUrl, { retryDelays: [0, 1000, 3000] });
			},
		};
	};
}

/** Avoids `slice` for a file of one chunk: `slice` blocks the page until the browser's main process responds. */
const fileReader = {
	openFile: async (file: File) => ({
		size: file.size,
		slice: async (start: number, end: number) => ({
			value: start === 0 && end >= file.size ? file : file.slice(start, end),
			done: end >= file.size,
		}),
		close: () => {},
	}),
};

export const unreadableFileCode = 'FILE_UNREADABLE';

/** Stores the handle of an upload's file, if available. @returns a function that deletes the stored handle */
function storeFileHandle(id: string, find: UploadSource['findHandle']): () => Promise<void> {
	const stored = find()
		.then((handle) => (handle === null ? undefined : storeHandle(id, handle)))
		.catch(() => undefined);
	return () => stored.then(() => deleteHandle(id));
}

/** Returns a random 128-bit id in base64url, the format of the server's ids. */
export function newUploadId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replaceAll('=', '');
}
