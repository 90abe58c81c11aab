import { ORPCError } from '@orpc/client';
import * as z from 'zod';
import { m } from '#messages';
import { endSession } from '#web/platform/session/session-end.ts';

/** A failed call, ready to be shown. */
export interface Failure {
	/** Stable code of the contract; `OFFLINE` when no answer came, `INTERNAL` when it made no sense. */
	code: string;
	/** HTTP status; 0 without an answer. */
	status: number;
	/** A sentence in the person's language. */
	message: string;
	/** A sentence for each field in error, by the field's name; empty for other failures. */
	fields: Record<string, string>;
}

const errorData = z.object({ fields: z.record(z.string(), z.string()) });

/** The body of every failed call ({@link ErrorBody} of the contract). */
export const errorBody = z.object({
	code: z.string(),
	status: z.number(),
	message: z.string(),
	fields: z.record(z.string(), z.string()).optional(),
});

/** Turns whatever a call threw into words: the server's own sentence where it sent one. */
export function describeFailure(error: unknown): Failure {
	if (error instanceof FailedCall) return error.failure;
	if (error instanceof ORPCError) {
		const data = errorData.safeParse(error.data);
		const { code, status, message } = error;
		if (data.success) return { code, status, message, fields: data.data.fields };
		// Not our server's words, but those of something between it and us.
		return { code: 'INTERNAL', status, message: messageForStatus(status), fields: {} };
	}
	// fetch rejects with a TypeError when there was no answer at all.
	const isTooLate = error instanceof DOMException && error.name === 'TimeoutError';
	if (error instanceof TypeError || isTooLate)
		return { code: 'OFFLINE', status: 0, message: m.common_offline(), fields: {} };
	return { code: 'INTERNAL', status: 500, message: m.error_internal(), fields: {} };
}

/** Nobody has answered for the server, or only a proxy that does not reach it either. */
export function isUnreachable(status: number): boolean {
	return status === 0 || (status >= 502 && status <= 504);
}

/** Whether our server has said no, for good: not a line, a proxy, a crowd or a session that is over. */
export function isFinalRejection(error: unknown): boolean {
	const { code, status } = describeFailure(error);
	const passes = ['INTERNAL', 'UNAUTHORIZED', 'ACCOUNT_INACTIVE'];
	return status >= 400 && status < 500 && status !== 429 && !passes.includes(code);
}

/**
 * What a status means for files, where the answer brought no words of its own (a proxy's, a download's): typed as the
 * hosted storage's errors are (401, 402, 403, 404).
 */
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

/** A failed plain HTTP call (uploads, forms), thrown so that {@link describeFailure} finds its words. */
export class FailedCall extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'FailedCall';
		this.failure = failure;
	}
}

/** Reads the error body of a plain HTTP answer that was not ok. */
export async function readFailedCall(response: Response): Promise<FailedCall> {
	const body = errorBody.safeParse(await response.json().catch(() => undefined));
	if (body.success) return new FailedCall({ ...body.data, fields: body.data.fields ?? {} });
	return new FailedCall({
		code: 'INTERNAL',
		status: response.status,
		message: messageForStatus(response.status),
		fields: {},
	});
}

/** Why a file is not to be seen. `gone`: deleted, or not this person's; `failed`: the line or the server; `unplayable`: this browser cannot show it. */
export type FileFailureReason = 'gone' | 'failed' | 'unplayable';

/** Asks why the browser could not show a file: a picture or player hears only that it could not. */
export async function findFileFailureReason(url: string): Promise<FileFailureReason> {
	const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
	if (answer === null || answer.status >= 500 || answer.status === 429) return 'failed';
	if (answer.ok) return 'unplayable';
	if (answer.status === 401) endSession('expiry');
	return answer.status === 401 ? 'failed' : 'gone';
}
