import { DetailedError, type HttpRequest, type HttpResponse } from 'tus-js-client';
import { orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { isUploadStillStored, type UploadFailure } from './transfer-policy.ts';

/** A HEAD request that failed temporarily. */
class UploadCheckError extends Error {
	readonly response: HttpResponse;

	constructor(response: HttpResponse) {
		super(`The state of the stored upload could not be fetched: ${response.getStatus()}`);
		this.response = response;
	}
}

/** Prevents tus-js-client from restarting an upload after a temporary HEAD failure. @throws UploadCheckError */
export function preventRestart(request: HttpRequest, response: HttpResponse): void {
	if (request.getMethod() === 'HEAD' && isUploadStillStored(response.getStatus())) throw new UploadCheckError(response);
}

export function toUploadFailure(error: Error | DetailedError): UploadFailure {
	const method = error instanceof DetailedError ? error.originalRequest.getMethod() : '';
	const status = responseOf(error)?.getStatus() ?? 0;
	// Without a code, for example after a HEAD request, status 409 means a taken name, except after a PATCH.
	const code = errorBodyOf(error).code || (status === 409 && method !== 'PATCH' ? 'FILE_EXISTS' : '');
	return { method, status, code };
}

function responseOf(error: Error | DetailedError): HttpResponse | null {
	if (!(error instanceof DetailedError)) return null;
	return error.causingError instanceof UploadCheckError ? error.causingError.response : error.originalResponse;
}

/** Returns the error code and message of the server, or empty texts. */
export function errorBodyOf(error: Error | DetailedError) {
	try {
		return readErrorBody(JSON.parse(responseOf(error)?.getBody() ?? ''));
	} catch {
		// Proxies may answer with HTML or plain text.
		return { code: '', message: '' };
	}
}

const readErrorBody = stateOf({ code: orElse(text(), ''), message: orElse(text(), '') });
