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
		const file = await request.file({ limits: { fileSize: maxBytes, files: 1 } });
		if (file === undefined) throw new AppError(code, { fields: { file: 'error_field_required' } });
		return { name: file.filename, bytes: await file.toBuffer() };
	} catch (error) {
		if (error instanceof AppError) throw error;
		const { code: reason, statusCode } = error as { code?: string; statusCode?: number };
		if (tooLarge !== undefined && reason === 'FST_REQ_FILE_TOO_LARGE')
			throw new AppError(code, { fields: { file: tooLarge } });
		// The parser's own errors have no status.
		throw statusCode === undefined ? new AppError(code, { cause: error }) : error;
	}
}
