import { Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { uploadsPath } from '#contract/files/files.ts';
import type { UploadConflict } from '#contract/files/uploads.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { type FileHandle, forgetHandle, keepHandle } from './file-handles.ts';
import { failureOf, messageOf, refuseToStartOver } from './upload-answers.ts';
import { nextChunkBytes } from './upload-chunks.ts';
import { holdUpload } from './upload-locks.ts';
import { createPatience, isWorthRetrying, retryDelaysMs, type UploadFailure } from './upload-retry.ts';

/** Where a file goes, and under which name the server has begun to take it, if it has. */
export interface UploadPlace {
	path: string;
	begunId?: string;
}

/** What is to be sent. */
export interface UploadWork {
	file: File;
	owner: string;
	/** What becomes of it when its name is taken. */
	conflict: UploadConflict;
	/** Makes the folders on the way. @throws FailedCall */
	findPlace: () => Promise<UploadPlace>;
	/** The way back to the file after a closed tab; null where the browser gives none. */
	findHandle: () => Promise<FileHandle | null>;
}

/** What an upload tells while it runs. */
export interface TransportEvents {
	/** It has a place and a name at the server. */
	onPlaced: (place: { path: string; uploadId: string }) => void;
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
	letGo: () => void;
}

export type OpenTransport = (work: UploadWork, events: TransportEvents) => Transport;

/**
 * Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) with growing chunks and patient retries. A file that
 * fits into the first chunk goes with its creation, in one request. The browser names the upload, so that after any
 * trouble the server is asked first how much of it is there.
 * @param retryMs for how long it is tried without any success
 */
export function createTusTransport(retryMs: () => number): OpenTransport {
	return ({ file, owner, conflict, findPlace, findHandle }, events) => {
		const patience = createPatience(retryMs, () => performance.now());
		// Finding the place takes a moment, in which the person may pause or cancel.
		let isWanted = false;
		let address: string | null = null;
		let release = () => {};
		let forgetWayBack = async () => {};
		const upload = new Upload(file, {
			endpoint: new URL(uploadsPath, window.location.origin).href,
			metadata: {},
			chunkSize: limits.uploadFirstChunkBytes,
			uploadDataDuringCreation: file.size <= limits.uploadFirstChunkBytes,
			retryDelays: retryDelaysMs,
			storeFingerprintForResuming: false,
			onProgress: (sentBytes) => events.onProgress(sentBytes),
			onChunkComplete: () => {
				patience.renew();
				upload.options.chunkSize = nextChunkBytes(upload.options.chunkSize ?? limits.uploadFirstChunkBytes);
			},
			onAfterResponse: refuseToStartOver,
			onShouldRetry: (error) => {
				upload.options.uploadUrl = address;
				const failure = failureOf(error);
				const isPatient = isWorthRetrying(failure) && patience.isLeft();
				if (isPatient) events.onWaiting();
				if (isPatient && failure.status === 0) void failIfUnreadable();
				return isPatient;
			},
			onSuccess: () => {
				release();
				void forgetWayBack();
				events.onSuccess();
			},
			onError: (error) => {
				upload.options.uploadUrl = address;
				patience.renew();
				events.onFailure(failureOf(error), messageOf(error));
			},
		});

		/** A file that was changed or taken away looks like a lost line, and no patience helps. */
		async function failIfUnreadable(): Promise<void> {
			try {
				await file.slice(0, 1).arrayBuffer();
			} catch {
				await upload.abort();
				events.onFailure({ method: '', status: 0, code: unreadable }, '');
			}
		}

		async function place(): Promise<void> {
			const { path, begunId } = await findPlace();
			const id = begunId ?? newUploadId();
			address = new URL(`${uploadsPath}/${id}`, window.location.origin).href;
			if (begunId !== undefined) upload.options.uploadUrl = address;
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
			release = holdUpload(id);
			forgetWayBack = file.size > limits.uploadFirstChunkBytes ? keepWayBack(id, findHandle) : async () => {};
			events.onPlaced({ path, uploadId: id });
		}

		return {
			start: async () => {
				isWanted = true;
				try {
					if (address === null) await place();
				} catch (error) {
					const { status, code, message } = describeFailure(error);
					if (isWanted) events.onFailure({ method: 'POST', status, code }, message);
					return;
				}
				if (isWanted) upload.start();
			},
			pause: () => {
				isWanted = false;
				upload.options.uploadUrl = address;
				return upload.abort();
			},
			letGo: () => release(),
			cancel: async () => {
				isWanted = false;
				release();
				void forgetWayBack();
				await upload.abort();
				if (address !== null) await Upload.terminate(address, { retryDelays: [0, 1000, 3000] });
			},
		};
	};
}

/** The code of a file that the browser can no longer read. */
export const unreadable = 'FILE_UNREADABLE';

/** Keeps the way back to an upload's file, if there is one. @returns how to forget it, in this order whatever is quicker */
function keepWayBack(id: string, find: UploadWork['findHandle']): () => Promise<void> {
	const kept = find()
		.then((handle) => (handle === null ? undefined : keepHandle(id, handle)))
		.catch(() => undefined);
	return () => kept.then(() => forgetHandle(id));
}

/** 128 random bits, as the server names things. */
function newUploadId(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replaceAll('=', '');
}
