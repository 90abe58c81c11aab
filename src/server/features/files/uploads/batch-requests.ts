import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import { uploadBatchPath, uploadBatchType } from '#contract/files/files.ts';
import { type BatchedFile, type BatchResponse, batchedFiles } from '#contract/files/uploads.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { errorBodyOf, toAppError } from '../../../platform/http/errors.ts';
import { isStorageUnavailable } from '../../../platform/log.ts';
import type { createWholeUploads } from './whole-uploads.ts';

/** For the list of files, whose paths may be long. */
const listMaxBytes = 256 * 1024;
const lineEnd = 10;

/**
 * Registers the endpoint that receives several small files in one request. Each is stored or refused like a file with a
 * creation request of its own.
 */
export function registerBatchUploads(
	app: FastifyInstance,
	deps: Deps,
	storeUpload: ReturnType<typeof createWholeUploads>,
): void {
	app.addContentTypeParser(uploadBatchType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	const bodyLimit = listMaxBytes + limits.uploadBatchMaxBytes;
	app.post(uploadBatchPath, { bodyLimit, config: { access: 'admin' } }, async (request): Promise<BatchResponse> => {
		if (!Buffer.isBuffer(request.body)) throw new AppError('INVALID_INPUT');
		const files = parseBatch(request.body);
		deps.log.info({ files: files.length, bytes: request.body.length }, 'upload batch');
		const store = ({ id, bytes, ...input }: (typeof files)[number]) => storeUpload(request.caller, id, input, bytes);
		const results = await Promise.allSettled(files.map(store));
		return {
			items: results.map((result) =>
				result.status === 'fulfilled' ? null : describeRefusal(deps, request.caller, result.reason),
			),
		};
	});
}

/** @throws AppError INVALID_INPUT when the list is not valid, or its sizes do not add up to the body */
function parseBatch(body: Buffer): Array<BatchedFile & { bytes: Buffer }> {
	const lineBytes = body.subarray(0, listMaxBytes).indexOf(lineEnd);
	const parsed = batchedFiles.safeParse(parseJson(body.subarray(0, Math.max(0, lineBytes)).toString()));
	if (!parsed.success) throw new AppError('INVALID_INPUT');
	let offset = lineBytes + 1;
	const files = parsed.data.map((file) => {
		const start = offset;
		offset += file.sizeBytes;
		return { ...file, bytes: body.subarray(start, offset) };
	});
	if (offset !== body.length) throw new AppError('INVALID_INPUT');
	return files;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function describeRefusal(deps: Deps, { locale }: Caller, error: unknown): BatchResponse['items'][number] {
	const failure = toAppError(error);
	if (failure.status >= 500)
		deps.log[isStorageUnavailable(failure) ? 'warn' : 'error']({ err: error }, 'upload failed');
	const { status, code, message } = errorBodyOf(failure, locale);
	return { status, code, message };
}
