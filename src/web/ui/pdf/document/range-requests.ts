/** Why a document cannot be read: access is denied, or the connection or the file is broken. */
export type PdfErrorReason = 'denied' | 'failed';

/** Decides what to do with the response to a range request. Status 0: there was no response. */
export function classifyRangeResponse(status: number): 'take' | 'again' | PdfErrorReason {
	if (status === 206) return 'take';
	if (status === 401 || status === 403 || status === 404 || status === 410) return 'denied';
	return status === 0 || status === 429 || status >= 500 ? 'again' : 'failed';
}

const retryDelaysMs = [400, 1200, 3000];

/**
 * Fetches one byte range (RFC 9110, section 14) of a private file; `endByte` is excluded. Retries up to three times
 * when the connection fails or the server is busy.
 *
 * @throws {PdfRangeError} with the reason, when no attempt succeeded
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
			// A range in the browser's cache could still be read after access has ended.
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

export class PdfRangeError extends Error {
	readonly reason: PdfErrorReason;

	constructor(reason: PdfErrorReason) {
		super(`The bytes of the document could not be read: ${reason}`);
		this.name = 'PdfRangeError';
		this.reason = reason;
	}
}
