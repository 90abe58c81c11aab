import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '#contract/core/errors.ts';
import { AppError } from '../app-error.ts';
import { classifyDbError } from '../database/errors.ts';
import type { Deps } from '../deps.ts';
import { describeError, isStorageUnavailable } from '../log.ts';
import { translate } from '../messages.ts';
import { isBrowserNavigation, sendLinkErrorPage } from './responses/link-error-page.ts';

const retryAfterSeconds = 2;

/**
 * Sends every failure in the caller's language: as an HTML page when a browser opens a link, otherwise as an
 * {@link ErrorBody}. Internal details are only logged.
 */
export function addErrorHandler(app: FastifyInstance, deps: Deps): void {
	app.setErrorHandler((error: FastifyError, request, reply) => sendError(deps, request, reply, error));
}

/** Sends a failure as the response; called directly where Fastify's error handler does not run. */
export function sendError(deps: Deps, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
	const failure = toAppError(error);
	if (failure.status >= 500) {
		// An overloaded database and an unreachable store are warnings, an unreachable database is an error.
		const isBusy = failure.code === 'BUSY' && classifyDbError(error) !== 'gone';
		const isWarning = isBusy || isStorageUnavailable(failure);
		const level = isAborted(request, error) ? 'info' : isWarning ? 'warn' : 'error';
		const why = isStorageUnavailable(failure) ? { why: describeError(failure.cause ?? failure) } : { err: error };
		deps.log[level]({ requestId: request.id, path: loggedPath(request), ...why }, 'request failed');
	}
	removeFileHeaders(reply);
	if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
	if (isBrowserNavigation(request)) return sendLinkErrorPage(request, reply, failure);
	const body = errorBodyOf(failure, request.caller?.locale ?? 'en');
	// A request with a malformed URL has no route.
	const { tellsSuccess = false } = request.routeOptions?.config ?? {};
	return reply
		.code(failure.status)
		.type('application/json; charset=utf-8')
		.send(tellsSuccess ? { ...body, success: false, error: body.message } : body);
}

/** Whether the client closed the connection while it sent the body. */
function isAborted({ raw }: FastifyRequest, error: unknown): boolean {
	return !raw.complete && (error as { code?: string }).code === 'ECONNRESET';
}

/** Removes the headers of a file that could not be sent; otherwise a browser would cache the error as the file. */
function removeFileHeaders(reply: FastifyReply): void {
	for (const name of ['content-disposition', 'content-length', 'content-range', 'accept-ranges', 'etag'])
		reply.removeHeader(name);
	reply.header('cache-control', 'no-store');
}

/** Returns the body of an error response; typed clients read `data.fields`, which repeats `fields`. */
export function errorBodyOf(failure: AppError, locale: 'en' | 'hi') {
	const fields =
		failure.fields &&
		Object.fromEntries(
			Object.entries(failure.fields).map(([name, text]) => [name, translate(text, locale, failure.params)]),
		);
	return {
		defined: false,
		code: failure.code,
		status: failure.status,
		message: translate(failure.messageKey, locale, failure.params),
		...(fields && { fields }),
		data: fields ? { fields } : {},
	};
}

export function toAppError(error: unknown): AppError {
	if (error instanceof AppError) return error;
	const kind = classifyDbError(error);
	if (kind === 'busy' || kind === 'gone') return new AppError('BUSY', { retryAfterSeconds, cause: error });
	// A row to which the new row refers, such as the user, was deleted during the request.
	if (kind === 'foreign-key') return new AppError('NOT_FOUND', { cause: error });
	if (kind === 'unstorable') return new AppError('INVALID_INPUT', { cause: error });
	const { code, statusCode, message = '' } = error as { code?: string; statusCode?: number; message?: string };
	// The form parser's errors have neither code nor status.
	if (/^multipart: |unexpected end of (multipart|form)/iu.test(message))
		return new AppError('INVALID_INPUT', { cause: error });
	if (kind === 'full' || code === 'ENOSPC') return new AppError('STORAGE_FULL', { cause: error });
	// @fastify/static throws these for a path outside its folder.
	if (statusCode === 403 || statusCode === 404) return new AppError('NOT_FOUND');
	if (statusCode === 413 || code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('BODY_TOO_LARGE');
	if (statusCode === 415 || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return new AppError('WRONG_CONTENT_TYPE');
	if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
		return new AppError('INVALID_INPUT', { cause: error });
	return new AppError('INTERNAL', { cause: error });
}

/** Matches secret links in upper or lower case, because secrets in URLs without a route must not be logged either. */
const secretPath = /(\/order\/)[^/]+/iu;
/** Matches a token of {@link newToken} anywhere in a URL, because mail programs may replace a slash by `%2F`. */
const secretPart = /[\w-]{43,}/gu;

/** Returns the path of a request for the log, without its query and without a link's secret. */
export function loggedPath({ url, routeOptions }: FastifyRequest): string {
	// A request with a malformed URL has no route.
	if (routeOptions?.config?.hasSecretPath === true) return routeOptions.url ?? '';
	return (url.split('?')[0] ?? '').replace(secretPath, '$1…').replace(secretPart, '…');
}
