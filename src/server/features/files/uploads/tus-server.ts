import type { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { type DataStore, ERRORS, type Locker, Server } from '@tus/server';
import { uploadsPath } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { errorBodyOf, toAppError } from '../../../platform/http/errors.ts';
import { isStorageUnavailable } from '../../../platform/log.ts';
import * as service from './uploads.service.ts';
import { toNewUpload, uploadIdOf } from './whole-upload-requests.ts';

/** The authorised caller and upload. The upload id that tus would read from the URL is ignored. */
export interface AuthorisedRequest {
	caller: Caller;
	/** Undefined while the upload is being created. */
	uploadId: string | undefined;
	answer: ServerResponse;
}

export function createTusServer(
	deps: Deps,
	authorised: AsyncLocalStorage<AuthorisedRequest>,
	datastore: DataStore,
	locker: Locker,
): Server {
	const findCaller = () => authorised.getStore()?.caller;
	const requireCaller = () => {
		const caller = findCaller();
		if (caller === undefined) throw new Error('No caller is known for this upload request.');
		return caller;
	};
	return new Server({
		path: uploadsPath,
		datastore,
		locker,
		relativeLocation: true,
		allowedOrigins: [deps.config.PUBLIC_URL],
		namingFunction: (_request, metadata) => uploadIdOf(metadata),
		getFileIdFromRequest: () => authorised.getStore()?.uploadId,
		onUploadCreate: async (_request, upload) => {
			await service.beginUpload(deps, requireCaller(), upload.id, toNewUpload(upload.metadata, upload.size));
			return {};
		},
		onUploadFinish: async (_request, upload) => {
			await service.finishUpload(deps, requireCaller(), upload.id);
			return {};
		},
		onResponseError: (_request, error) => {
			const { retryAfterSeconds, ...answer } = responseOf(error, findCaller()?.locale ?? 'en');
			const { status_code: status } = answer;
			if (retryAfterSeconds !== undefined)
				authorised.getStore()?.answer.setHeader('retry-after', String(retryAfterSeconds));
			if (isUnexpected(status, error)) deps.log.error({ err: error }, 'upload failed');
			else deps.log.info({ status, cause: String(error) }, 'upload ended');
			return answer;
		},
	});
}

/** Whether an error is unexpected: not a broken connection, unknown extension or unavailable store. */
function isUnexpected(status: number, error: unknown): boolean {
	const { name, code, message } = error as { name?: string; code?: string; message?: string };
	if (status < 500 || status === 501 || isStorageUnavailable(error)) return false;
	if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return false;
	return name !== 'AbortError' && message !== 'aborted';
}

/** Returns errors of tus unchanged, except a lock timeout. All others become an error body in the caller's language. */
function responseOf(error: unknown, locale: 'en' | 'hi') {
	const { status_code, body } = error as { status_code?: number; body?: string };
	const isLocked = error === ERRORS.ERR_LOCK_TIMEOUT;
	if (status_code !== undefined && body !== undefined && !isLocked) return { status_code, body };
	const failure = isLocked ? new AppError('UPLOAD_LOCKED') : toAppError(error);
	const { status, retryAfterSeconds } = failure;
	return { status_code: status, body: JSON.stringify(errorBodyOf(failure, locale)), retryAfterSeconds };
}
