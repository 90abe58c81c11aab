import type { FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../app-error.ts';

interface OneFile {
	maxBytes: number;
	/** Of the refusal: without a file, and for a body that is no form. */
	code: ErrorCode;
	/** The sentence for a larger file, as a refusal of the same code; without it the answer is 413. */
	tooLarge?: string;
}

/**
 * Reads a form's one file.
 * @throws AppError WRONG_CONTENT_TYPE, and the named code, with `fields.file` where it is the file's fault
 */
export async function readOneFile(
	request: FastifyRequest,
	{ maxBytes, code, tooLarge }: OneFile,
): Promise<{ name: string; bytes: Buffer }> {
	if (!request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
	try {
		const file = await readForm(request, maxBytes);
		if (file === undefined) throw new AppError(code, { fields: { file: 'error_field_required' } });
		const { name, bytes } = file;
		if (bytes !== null) return { name, bytes };
		throw tooLarge === undefined ? new AppError('BODY_TOO_LARGE') : new AppError(code, { fields: { file: tooLarge } });
	} catch (error) {
		if (error instanceof AppError) throw error;
		const { code: reason, statusCode } = error as { code?: string; statusCode?: number };
		if (reason === 'FST_FILES_LIMIT') throw new AppError(code, { fields: { file: 'error_one_file' } });
		// The parser's own errors have no status.
		throw statusCode === undefined ? new AppError(code, { cause: error }) : error;
	}
}

/** To its end: a second file is heard of only behind the first. `bytes`: null for a file over the limit. */
async function readForm(request: FastifyRequest, maxBytes: number) {
	const parts = request.parts({
		limits: { fileSize: maxBytes, files: 1 },
		throwFileSizeLimit: false,
	} as Parameters<FastifyRequest['parts']>[0]);
	let found: { name: string; bytes: Buffer | null } | undefined;
	for await (const part of parts) {
		if (part.type !== 'file') continue;
		const chunks: Buffer[] = [];
		for await (const chunk of part.file) {
			if (part.file.truncated) chunks.length = 0;
			else chunks.push(chunk);
		}
		// Only now: a file is often known to be cut when its last piece has been given out already.
		found = { name: part.filename, bytes: part.file.truncated ? null : Buffer.concat(chunks) };
	}
	return found;
}
