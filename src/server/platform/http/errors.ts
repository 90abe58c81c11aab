import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '#contract/core/errors.ts';
import { classifyDbError } from '../../db/errors.ts';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { textOf } from '../messages.ts';
import { isStoreGone, reasonOf } from '../reason.ts';
import { isOpenedLink, sendFailedLink } from './failed-link.ts';
import { loggedPath } from './logged-path.ts';

const retryAfterSeconds = 2;

/** Every failure leaves as an {@link ErrorBody}, in the caller's language; what nobody should read goes to the log. */
export function addErrorHandler(app: FastifyInstance, deps: Deps): void {
	app.setErrorHandler((error: FastifyError, request, reply) => sendError(deps, request, reply, error));
}

/** Answers with the failure; used directly where Fastify's own handler does not reach. */
export function sendError(deps: Deps, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
	const failure = toAppError(error);
	if (failure.status >= 500) {
		// Too much at once is no fault; a database that cannot be reached is one, a store is told of by itself.
		const isBusy = failure.code === 'BUSY' && classifyDbError(error) !== 'gone';
		const level = isBusy || isStoreGone(failure) ? 'warn' : 'error';
		const why = isStoreGone(failure) ? { why: reasonOf(failure.cause) } : { err: error };
		deps.log[level]({ requestId: request.id, path: loggedPath(request), ...why }, 'request failed');
	}
	takeFileHeadersBack(reply);
	if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
	if (isOpenedLink(request)) return sendFailedLink(request, reply, failure);
	const body = errorBodyOf(failure, request.caller?.locale ?? 'en');
	// An address that cannot be read has no route.
	const { tellsSuccess = false } = request.routeOptions?.config ?? {};
	return reply
		.code(failure.status)
		.type('application/json; charset=utf-8')
		.send(tellsSuccess ? { ...body, success: false, error: body.message } : body);
}

/** What was meant for a file, also where its first byte did not come any more: no browser may keep a failure in its place. */
function takeFileHeadersBack(reply: FastifyReply): void {
	for (const name of ['content-disposition', 'content-length', 'content-range', 'accept-ranges', 'etag'])
		reply.removeHeader(name);
	reply.header('cache-control', 'no-store');
}

/** The body of a failure; `data.fields` repeats `fields` for typed clients. */
export function errorBodyOf(
	failure: AppError,
	locale: 'en' | 'hi',
): ErrorBody & { defined: false; data: { fields?: Record<string, string> } } {
	const fields =
		failure.fields &&
		Object.fromEntries(
			Object.entries(failure.fields).map(([name, text]) => [name, textOf(text, locale, failure.params)]),
		);
	return {
		defined: false,
		code: failure.code,
		status: failure.status,
		message: textOf(failure.text, locale, failure.params),
		...(fields && { fields }),
		data: fields ? { fields } : {},
	};
}

/** Turns whatever was thrown into a failure with a code. */
export function toAppError(error: unknown): AppError {
	if (error instanceof AppError) return error;
	const kind = classifyDbError(error);
	if (kind === 'busy' || kind === 'gone') return new AppError('BUSY', { retryAfterSeconds, cause: error });
	if (kind === 'unstorable') return new AppError('INVALID_INPUT', { cause: error });
	const { code, statusCode, message = '' } = error as { code?: string; statusCode?: number; message?: string };
	// The form parser's errors carry neither code nor status.
	if (/^multipart: |unexpected end of (multipart|form)/iu.test(message))
		return new AppError('INVALID_INPUT', { cause: error });
	if (kind === 'full' || code === 'ENOSPC') return new AppError('STORAGE_FULL', { cause: error });
	// What the static files answer for a path that leads out of their folder.
	if (statusCode === 403 || statusCode === 404) return new AppError('NOT_FOUND');
	if (statusCode === 413 || code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('BODY_TOO_LARGE');
	if (statusCode === 415 || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return new AppError('WRONG_CONTENT_TYPE');
	if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
		return new AppError('INVALID_INPUT', { cause: error });
	return new AppError('INTERNAL', { cause: error });
}
