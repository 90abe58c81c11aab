import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../app-error.ts';
import { createMemoryBudget, type MemoryReservation } from '../../locking/memory-budget.ts';

/** Enough for two of the largest files (25 MiB) from a client and ten in all. A file may take 25 minutes to arrive. */
const memoryBudget = createMemoryBudget({
	perClientBytes: 64 * 1024 * 1024,
	totalBytes: 256 * 1024 * 1024,
	maxMinutes: 25,
});

interface SingleFileOptions {
	maxBytes: number;
	/** Error code for a form without a file, and for a malformed form. */
	code: ErrorCode;
	/** Message key for a file that is too large, thrown with `code`; without it BODY_TOO_LARGE is thrown. */
	tooLarge?: string;
}

/**
 * Reads the only file of a form into memory. Its bytes use the memory budget until the response is sent.
 * @throws AppError WRONG_CONTENT_TYPE, BUSY, BODY_TOO_LARGE, or `code` (with `fields.file` if the file is the cause)
 */
export async function readSingleFile(
	request: FastifyRequest,
	reply: FastifyReply,
	{ maxBytes, code, tooLarge }: SingleFileOptions,
): Promise<{ name: string; bytes: Buffer }> {
	if (!request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
	const reservation = memoryBudget.reserve(request.caller.actor?.userId ?? request.caller.ip, () =>
		request.raw.destroy(),
	);
	reply.raw.once('close', reservation.release);
	try {
		const file = await readForm(request, maxBytes, reservation);
		reservation.markComplete();
		if (file === undefined) throw new AppError(code, { fields: { file: 'error_field_required' } });
		const { name, bytes } = file;
		if (bytes !== null) return { name, bytes };
		throw tooLarge === undefined ? new AppError('BODY_TOO_LARGE') : new AppError(code, { fields: { file: tooLarge } });
	} catch (error) {
		// Discards the rest of the body, because a browser reads the response only after it has sent the whole body.
		request.raw.unpipe();
		request.raw.resume();
		if (error instanceof AppError) throw error;
		const { code: parserCode, statusCode } = error as { code?: string; statusCode?: number };
		if (parserCode === 'FST_FILES_LIMIT') throw new AppError(code, { fields: { file: 'error_one_file' } });
		// The parser's own errors have no status.
		throw statusCode === undefined ? new AppError(code, { cause: error }) : error;
	}
}

/** Reads a form to its end, to detect a second file. `bytes` is null for a file over the limit. */
async function readForm(request: FastifyRequest, maxBytes: number, reservation: MemoryReservation) {
	const parts = request.parts({
		limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 4096 },
		throwFileSizeLimit: false,
	} as Parameters<FastifyRequest['parts']>[0]);
	let file: { name: string; bytes: Buffer | null } | undefined;
	for await (const part of parts) {
		if (part.type !== 'file') {
			// The parser keeps every field in memory, even unused ones.
			if (typeof part.value === 'string') reservation.add(part.value.length);
			continue;
		}
		const chunks: Buffer[] = [];
		for await (const chunk of part.file) {
			reservation.add(chunk.length);
			if (part.file.truncated) chunks.length = 0;
			else chunks.push(chunk);
		}
		// Checked after the loop, because `truncated` is often set after the last chunk was read.
		file = { name: part.filename, bytes: part.file.truncated ? null : Buffer.concat(chunks) };
	}
	return file;
}
