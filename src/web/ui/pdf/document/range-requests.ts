/** Why a document cannot be read on: the person may not (any more), or the line or the file is broken. */
export type PdfErrorReason = 'denied' | 'failed';

/** What to do with the answer to a request for bytes. Status 0: no answer came. */
export function classifyRangeResponse(status: number): 'take' | 'again' | PdfErrorReason {
	if (status === 206) return 'take';
	if (status === 401 || status === 403 || status === 404 || status === 410) return 'denied';
	return status === 0 || status === 429 || status >= 500 ? 'again' : 'failed';
}

const retryDelaysMs = [400, 1200, 3000];

/**
 * Fetches one byte range (RFC 9110, section 14) of a private file; `endByte` is excluded.
 * Tries a lost line or a busy server again three times.
 *
 * @throws {PdfRangeError} with the reason, when no try succeeded
 */
export async function fetchRange(
	url: string,
	beginByte: number,
	endByte: number,
	signal: AbortSignal,
): Promise<Uint8Array> {
	for (let attempt = 0; ; attempt++) {
		const response = await fetch(url, {
			headers: { Range: `bytes=${beginByte}-${endByte - 1}` },
			credentials: 'same-origin',
			// A range that a browser cache answers would outlive the right to read it.
			cache: 'no-store',
			signal,
		}).catch(() => null);
		signal.throwIfAborted();
		const verdict = classifyRangeResponse(response?.status ?? 0);
		if (verdict === 'take' && response !== null) {
			const bytes = await response.bytes().catch(() => null);
			signal.throwIfAborted();
			if (bytes !== null && bytes.length === endByte - beginByte) return bytes;
		}
		if (verdict === 'denied' || verdict === 'failed') throw new PdfRangeError(verdict);
		const delayMs = retryDelaysMs[attempt];
		if (delayMs === undefined) throw new PdfRangeError('failed');
		await new Promise((resolve) => setTimeout(resolve, delayMs));
		signal.throwIfAborted();
	}
}

/** The bytes could not be had. */
export class PdfRangeError extends Error {
	readonly reason: PdfErrorReason;

	constructor(reason: PdfErrorReason) {
		super(`The bytes of the document could not be read: ${reason}`);
		this.name = 'PdfRangeError';
		this.reason = reason;
	}
}
