import { DetailedError, type HttpRequest, type HttpResponse } from 'tus-js-client';
import { isUploadStillStored, type UploadFailure } from './transfer-policy.ts';

/** A HEAD that answered "not now". */
class UploadCheckError extends Error {
	readonly response: HttpResponse;

	constructor(response: HttpResponse) {
		super(`The stored upload could not be asked for: ${response.getStatus()}`);
		this.response = response;
	}
}

/** Keeps tus-js-client from taking every failed HEAD for a lost upload; for its `onAfterResponse`. @throws UploadCheckError */
export function preventRestart(request: HttpRequest, response: HttpResponse): void {
	if (request.getMethod() === 'HEAD' && isUploadStillStored(response.getStatus())) throw new UploadCheckError(response);
}

/** What a failed request of tus-js-client looked like. */
export function toUploadFailure(error: Error | DetailedError): UploadFailure {
	const method = error instanceof DetailedError ? error.originalRequest.getMethod() : '';
	const status = responseOf(error)?.getStatus() ?? 0;
	// A HEAD has no body; outside PATCH a conflict can only be the name.
	const code = errorBodyOf(error).code || (status === 409 && method !== 'PATCH' ? 'FILE_EXISTS' : '');
	return { method, status, code };
}

/** The server's own sentence about a failure, '' when none came. */
export function serverMessageOf(error: Error | DetailedError): string {
	return errorBodyOf(error).message;
}

function responseOf(error: Error | DetailedError): HttpResponse | null {
	if (!(error instanceof DetailedError)) return null;
	return error.causingError instanceof UploadCheckError ? error.causingError.response : error.originalResponse;
}

function errorBodyOf(error: Error | DetailedError): { code: string; message: string } {
	const body = responseOf(error)?.getBody() ?? '';
	try {
		const parsed: unknown = JSON.parse(body);
		if (typeof parsed === 'object' && parsed !== null)
			return { code: stringAt(parsed, 'code'), message: stringAt(parsed, 'message') };
	} catch {
		// Not every answer on the way is the product's own: a proxy speaks HTML or plain text.
	}
	return { code: '', message: '' };
}

function stringAt(value: object, key: string): string {
	const found: unknown = Reflect.get(value, key);
	return typeof found === 'string' ? found : '';
}
