import { m } from '#messages';
import { number, object, orElse, text } from '#web/platform/browser/readers.ts';
import { endSession } from '#web/platform/session/session-end.ts';

export interface Failure {
	/** Error code of the contract; `OFFLINE` without a response; `INTERNAL` for an invalid response or any other error. */
	code: string;
	/** HTTP status; 0 without a response. */
	status: number;
	message: string;
	/** Error messages by field name; empty unless fields are invalid. */
	fields: Record<string, string>;
}

/** Reads the contract's {@link ErrorBody}. */
export const readErrorBody = object<Failure>({
	code: text(),
	status: number(),
	message: text(),
	fields: orElse(readTexts, {}),
});

function readTexts(value: unknown): Record<string, string> | undefined {
	const isOfTexts = typeof value === 'object' && Object.values(value ?? {}).every((each) => typeof each === 'string');
	return isOfTexts ? (value as Record<string, string>) : undefined;
}

/** Converts an error of a call into a failure. Uses the server's message if there is one. */
export function describeFailure(error: unknown): Failure {
	if (error instanceof FailedCall) return error.failure;
	// fetch rejects with a TypeError when there was no response.
	const isTooLate = error instanceof DOMException && error.name === 'TimeoutError';
	if (error instanceof TypeError || isTooLate)
		return { code: 'OFFLINE', status: 0, message: m.common_offline(), fields: {} };
	return { code: 'INTERNAL', status: 500, message: m.error_internal(), fields: {} };
}

/** Whether there was no response, or a status that a proxy returns if it cannot reach the server. */
export function isUnreachable(status: number): boolean {
	return status === 0 || (status >= 502 && status <= 504);
}

/** False for a temporary error: a lost connection, an error of a proxy or server, a rate limit or an ended session. */
export function isFinalRejection(error: unknown): boolean {
	const { code, status } = describeFailure(error);
	const temporaryCodes = ['INTERNAL', 'UNAUTHORIZED', 'ACCOUNT_INACTIVE'];
	return status >= 400 && status < 500 && status !== 429 && !temporaryCodes.includes(code);
}

/** Returns the message for a response without a message of the server, such as a proxy's response. */
export function messageForStatus(status: number): string {
	if (status === 0 || status === 502 || status === 504) return m.common_offline();
	if (status === 401) return m.error_unauthorized();
	if (status === 402) return m.error_no_space_left();
	if (status === 403) return m.error_forbidden();
	if (status === 404 || status === 410) return m.error_no_longer_there();
	if (status === 413) return m.error_upload_too_large();
	if (status === 429) return m.error_too_many_requests();
	if (status === 503) return m.error_busy();
	if (status === 507) return m.error_storage_full();
	return m.error_internal();
}

/** Thrown by all HTTP calls: of the JSON API, of uploads and of forms. */
export class FailedCall extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'FailedCall';
		this.failure = failure;
	}
}

/** Status 0: there was no response. A successful status with an invalid body is an error of a server or proxy. */
export function readFailedCall(status: number, response: unknown): FailedCall {
	const failure = readErrorBody(response);
	if (failure !== undefined) return new FailedCall(failure);
	const code = status === 0 ? 'OFFLINE' : 'INTERNAL';
	const failedStatus = status > 0 && status < 400 ? 500 : status;
	return new FailedCall({ code, status: failedStatus, message: messageForStatus(status), fields: {} });
}

/** `gone`: deleted or no access; `failed`: not loaded; `unplayable`: the browser cannot show the format. */
export type FileFailureReason = 'gone' | 'failed' | 'unplayable';

/** Requests the file's headers from the server, because image and video elements do not report why they failed. */
export async function findFileFailureReason(url: string): Promise<FileFailureReason> {
	const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
	if (response === null || response.status >= 500 || response.status === 429) return 'failed';
	if (response.ok) return 'unplayable';
	if (response.status === 401) endSession('expiry');
	return response.status === 401 ? 'failed' : 'gone';
}
