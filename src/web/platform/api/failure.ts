import { ORPCError } from '@orpc/client';
import * as z from 'zod';
import { m } from '#messages';
import { endSession } from '#web/platform/session/session-end.ts';

export interface Failure {
	/** Stable error code of the contract; `OFFLINE`: no response; `INTERNAL`: the response was not understood. */
	code: string;
	/** HTTP status; 0 without a response. */
	status: number;
	message: string;
	/** Error messages by field name; empty for other failures. */
	fields: Record<string, string>;
}

const errorData = z.object({ fields: z.record(z.string(), z.string()) });

/** The body of every failed call ({@link ErrorBody} of the contract). */
export const errorBody = z.object({
	code: z.string(),
	status: z.number(),
	message: z.string(),
	fields: z.record(z.string(), z.string()).default({}),
});

/** Converts an error thrown by a call into a failure, with the server's own message if it sent one. */
export function describeFailure(error: unknown): Failure {
	if (error instanceof FailedCall) return error.failure;
	if (error instanceof ORPCError) {
		const data = errorData.safeParse(error.data);
		const { code, status, message } = error;
		if (data.success) return { code, status, message, fields: data.data.fields };
		// The response is not from our server but from a proxy in front of it.
		return { code: 'INTERNAL', status, message: messageForStatus(status), fields: {} };
	}
	// fetch rejects with a TypeError when there was no response.
	const isTooLate = error instanceof DOMException && error.name === 'TimeoutError';
	if (error instanceof TypeError || isTooLate)
		return { code: 'OFFLINE', status: 0, message: m.common_offline(), fields: {} };
	return { code: 'INTERNAL', status: 500, message: m.error_internal(), fields: {} };
}

/** Whether there was no response, or a proxy responded that it cannot reach the server. */
export function isUnreachable(status: number): boolean {
	return status === 0 || (status >= 502 && status <= 504);
}

/** Whether our server rejected a call for good; not for a lost connection, proxy error, rate limit or ended session. */
export function isFinalRejection(error: unknown): boolean {
	const { code, status } = describeFailure(error);
	const temporaryCodes = ['INTERNAL', 'UNAUTHORIZED', 'ACCOUNT_INACTIVE'];
	return status >= 400 && status < 500 && status !== 429 && !temporaryCodes.includes(code);
}

/** Returns the message for a failed file request without one (a proxy's response, a download), by its status. */
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

/** A failed plain HTTP call (upload, form), thrown so that {@link describeFailure} finds its message. */
export class FailedCall extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'FailedCall';
		this.failure = failure;
	}
}

export async function readFailedCall(response: Response): Promise<FailedCall> {
	const body = errorBody.safeParse(await response.json().catch(() => undefined));
	if (body.success) return new FailedCall(body.data);
	const { status } = response;
	return new FailedCall({ code: 'INTERNAL', status, message: messageForStatus(status), fields: {} });
}

/** Why a file cannot be shown. `gone`: deleted or not accessible; `unplayable`: the browser cannot show its format. */
export type FileFailureReason = 'gone' | 'failed' | 'unplayable';

/** Finds out from the server why a file could not be shown: image and video elements report no reason. */
export async function findFileFailureReason(url: string): Promise<FileFailureReason> {
	const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
	if (response === null || response.status >= 500 || response.status === 429) return 'failed';
	if (response.ok) return 'unplayable';
	if (response.status === 401) endSession('expiry');
	return response.status === 401 ? 'failed' : 'gone';
}
