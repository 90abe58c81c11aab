import { Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { uploadsPath } from '#contract/files/files.ts';
import type { UploadConflict } from '#contract/uploads/uploads.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { deleteHandle, type FileHandle, storeHandle } from './stored-file-handles.ts';
import {
	createRetryDeadline,
	isWorthRetrying,
	nextChunkBytes,
	retryDelaysMs,
	type UploadFailure,
} from './transfer-policy.ts';
import { preventRestart, serverMessageOf, toUploadFailure } from './tus-errors.ts';
import { lockUpload } from './unfinished-uploads.ts';

/** Where a file goes, and under which name the server has begun to take it, if it has. */
export interface UploadDestination {
	path: string;
	resumeId?: string;
}

/** What is to be sent. */
export interface UploadSource {
	file: File;
	owner: string;
	/** What becomes of it when its name is taken. */
	conflict: UploadConflict;
	/** Makes the folders on the way. @throws FailedCall */
	findDestination: () => Promise<UploadDestination>;
	/** The way back to the file after a closed tab; null where the browser gives none. */
	findHandle: () => Promise<FileHandle | null>;
}

/** What an upload tells while it runs. */
export interface TransportEvents {
	/** It has a place and a name at the server. */
	onCreated: (place: { path: string; uploadId: string }) => void;
	onProgress: (sentBytes: number) => void;
	/** The line or the server is away; it is tried again by itself. */
	onWaiting: () => void;
	onSuccess: () => void;
	/** Given up; `message` is the server's own sentence in the person's language, '' when no answer came. */
	onFailure: (failure: UploadFailure, message: string) => void;
}

/** A running upload: `start` begins or goes on, `pause` keeps what the server has, `cancel` throws it away. */
export interface Transport {
	start: () => Promise<void>;
	pause: () => Promise<void>;
	cancel: () => Promise<void>;
	/** This tab has it in hand no longer. */
	releaseLock: () => void;
}

export type CreateTransport = (work: UploadSource, events: TransportEvents) => Transport;

/**
 * Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) with growing chunks and patient retries. A file that
 * fits into the first chunk goes with its creation, in one request. The browser names the upload, so that after any
 * trouble the server is asked first how much of it is there.
 * @param retryDelaysMs for how long it is tried without any success
 */
export function createTusTransport(retryMs: () => number): CreateTransport {
	return ({ file, owner, conflict, findDestination, findHandle }, events) => {
		const deadline = createRetryDeadline(retryMs, () => performance.now());
		// Finding the place takes a moment, in which the person may pause or cancel.
		let isStarted = false;
		let uploadUrl: string | null = null;
		let unlock = () => {};
		let deleteStoredHandle = async () => {};
		const upload = new Upload(file, {
			endpoint: new URL(uploadsPath, window.location.origin).href,
			metadata: {},
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
				events.onFailure(toUploadFailure(error), serverMessageOf(error));
			},
		});

		/** A file that was changed or taken away looks like a lost line, and no patience helps. */
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

/** The code of a file that the browser can no longer read. */
export const unreadableFileCode = 'FILE_UNREADABLE';

/** Keeps the way back to an upload's file, if there is one. @returns how to forget it, in this order whatever is quicker */
function storeFileHandle(id: string, find: UploadSource['findHandle']): () => Promise<void> {
	const stored = find()
		.then((handle) => (handle === null ? undefined : storeHandle(id, handle)))
		.catch(() => undefined);
	return () => stored.then(() => deleteHandle(id));
}

/** 128 random bits, as the server names things. */
function newUploadId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replaceAll('=', '');
}
