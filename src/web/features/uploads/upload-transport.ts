import { DetailedError, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client';
import { limits } from '#contract/core/limits.ts';
import { uploadsPath } from '#contract/files/files.ts';
import { nextChunkBytes } from './upload-chunks.ts';
import { isUploadStillThere, isWorthRetrying, retryDelaysMs, type UploadFailure } from './upload-retry.ts';
import type { UploadTarget } from './upload-task.ts';

/** What an upload tells while it runs. */
export interface TransportEvents {
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
}

export type OpenTransport = (file: File, target: UploadTarget, events: TransportEvents) => Transport;

/** Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) with growing chunks and patient retries. */
export const openTusTransport: OpenTransport = (file, target, events) => {
	const upload = new Upload(file, {
		endpoint: new URL(uploadsPath, window.location.origin).href,
		metadata: { ...target, filename: file.name, filetype: file.type },
		chunkSize: limits.uploadFirstChunkBytes,
		retryDelays: retryDelaysMs,
		removeFingerprintOnSuccess: true,
		fingerprint: async () =>
			['folio', target.owner, target.path, file.name, file.size, file.lastModified].map(String).join('|'),
		onProgress: (sentBytes) => events.onProgress(sentBytes),
		onChunkComplete: () => {
			upload.options.chunkSize = nextChunkBytes(upload.options.chunkSize ?? limits.uploadFirstChunkBytes);
		},
		onAfterResponse: refuseToStartOver,
		onShouldRetry: (error) => {
			const isPatient = isWorthRetrying(failureOf(error));
			if (isPatient) events.onWaiting();
			return isPatient;
		},
		onSuccess: () => events.onSuccess(),
		onError: (error) => {
			const answer = answerOf(error);
			events.onFailure(failureOf(error), answer.message);
		},
	});
	let isKnown = false;
	// Asking the storage takes a moment, in which the person may pause or cancel.
	let isWanted = false;
	return {
		start: async () => {
			isWanted = true;
			if (!isKnown) {
				const previous = newestOf(await upload.findPreviousUploads());
				if (previous) upload.resumeFromPreviousUpload(previous);
				isKnown = true;
			}
			if (isWanted) upload.start();
		},
		pause: () => {
			isWanted = false;
			return upload.abort();
		},
		cancel: () => {
			isWanted = false;
			return upload.abort(true);
		},
	};
};

class StillThereError extends Error {
	readonly response: HttpResponse;

	constructor(response: HttpResponse) {
		super(`The stored upload could not be asked for: ${response.getStatus()}`);
		this.response = response;
	}
}

function refuseToStartOver(request: HttpRequest, response: HttpResponse): void {
	if (request.getMethod() === 'HEAD' && isUploadStillThere(response.getStatus())) throw new StillThereError(response);
}

function newestOf<T extends { creationTime: string }>(uploads: T[]): T | undefined {
	return uploads.toSorted((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime))[0];
}

function responseOf(error: Error | DetailedError): HttpResponse | null {
	if (!(error instanceof DetailedError)) return null;
	return error.causingError instanceof StillThereError ? error.causingError.response : error.originalResponse;
}

function failureOf(error: Error | DetailedError): UploadFailure {
	const method = error instanceof DetailedError ? error.originalRequest.getMethod() : '';
	const status = responseOf(error)?.getStatus() ?? 0;
	// A HEAD has no body; outside PATCH a conflict can only be the name.
	const code = answerOf(error).code || (status === 409 && method !== 'PATCH' ? 'FILE_EXISTS' : '');
	return { method, status, code };
}

function answerOf(error: Error | DetailedError): { code: string; message: string } {
	const body = responseOf(error)?.getBody() ?? '';
	try {
		const parsed: unknown = JSON.parse(body);
		if (typeof parsed === 'object' && parsed !== null)
			return { code: textAt(parsed, 'code'), message: textAt(parsed, 'message') };
	} catch {
		// Not every answer on the way is the product's own: a proxy speaks HTML or plain text.
	}
	return { code: '', message: '' };
}

function textAt(value: object, key: string): string {
	const found: unknown = Reflect.get(value, key);
	return typeof found === 'string' ? found : '';
}
