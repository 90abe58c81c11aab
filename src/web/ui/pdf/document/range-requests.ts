/** `denied`: no access; `failed`: the connection or the file is broken. */
export type PdfErrorReason = 'denied' | 'failed';

/** `take`: use the bytes; `again`: retry. Status 0 means that there was no response. */
export function classifyRangeResponse(status: number): 'take' | 'again' | PdfErrorReason {
	if (status === 206) return 'take';
	if (status === 401 || status === 403 || status === 404 || status === 410) return 'denied';
	return status === 0 || status === 429 || status >= 500 ? 'again' : 'failed';
}

const retryDelaysMs = [400, 1200, 3000];

/**
 * Fetches a byte range (RFC 9110, section 14); `endByte` is excluded. Retries up to three times.
 * @throws {PdfRangeError} with the reason
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
			// A cached range could still be read after the user has lost access.
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
