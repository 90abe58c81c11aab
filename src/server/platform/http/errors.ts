import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '#contract/core/errors.ts';
import { AppError } from '../app-error.ts';
import { classifyDbError } from '../database/errors.ts';
import type { Deps } from '../deps.ts';
import { describeError, isStorageUnavailable } from '../error-logging.ts';
import { translate } from '../messages.ts';
import { isBrowserNavigation, sendLinkErrorPage } from './responses/link-error-page.ts';

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
		const level = isBusy || isStorageUnavailable(failure) ? 'warn' : 'error';
		const why = isStorageUnavailable(failure) ? { why: describeError(failure.cause) } : { err: error };
		deps.log[level]({ requestId: request.id, path: loggedPath(request), ...why }, 'request failed');
	}
	removeFileHeaders(reply);
	if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
	if (isBrowserNavigation(request)) return sendLinkErrorPage(request, reply, failure);
	const body = errorBodyOf(failure, request.caller?.locale ?? 'en');
	// An address that cannot be read has no route.
	const { tellsSuccess = false } = request.routeOptions?.config ?? {};
	return reply
		.code(failure.status)
		.type('application/json; charset=utf-8')
		.send(tellsSuccess ? { ...body, success: false, error: body.message } : body);
}

/** What was meant for a file, also where its first byte did not come any more: no browser may keep a failure in its place. */
function removeFileHeaders(reply: FastifyReply): void {
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

/** Secret links, however they are spelled: what fits no route is not to be logged either. */
const secretPath = /(\/order\/)[^/]+/iu;
/** A token as {@link newToken} makes it, wherever it stands: mail programs may write `%2F` for a stroke. */
const secretPart = /[\w-]{43,}/gu;

/** The path of a request as a log may keep it: without its query, and without the secret of a secret link. */
export function loggedPath({ url, routeOptions }: FastifyRequest): string {
	// An address that cannot be read has no route.
	if (routeOptions?.config?.hasSecretPath === true) return routeOptions.url ?? '';
	return (url.split('?')[0] ?? '').replace(secretPath, '$1…').replace(secretPart, '…');
}
