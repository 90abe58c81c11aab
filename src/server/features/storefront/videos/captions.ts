const timing = /^((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t].*)?$/u;

/**
 * Captions written anew from WebVTT: times and plain text; styles, regions, notes, positions and markup are left out.
 * Source: WebVTT, sections 4 and 6.
 * @returns null for bytes that are no WebVTT, or hold no caption
 */
export function sanitizeCaptions(bytes: Buffer): string | null {
	const text = decode(bytes);
	if (text === null || !/^WEBVTT(?:[ \t\n]|$)/u.test(text)) return null;
	const cues: string[] = [];
	for (const block of text.split(/\n{2,}/u).slice(1)) {
		const lines = block.split('\n').filter((line) => line !== '');
		const at = lines.findIndex((line) => line.includes('-->'));
		if (at < 0) continue;
		const [, from = '', to = ''] = timing.exec(lines[at] ?? '') ?? [];
		if (at > 1 || secondsOf(from) >= secondsOf(to)) return null;
		const textLines = lines.slice(at + 1).map((line) => line.replace(/<[^>]*>?/gu, '').trim());
		const nonEmptyLines = textLines.filter((line) => line !== '');
		if (nonEmptyLines.length > 0) cues.push(`${from} --> ${to}\n${nonEmptyLines.join('\n')}`);
	}
	return cues.length === 0 ? null : `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

/** Text without a byte order mark, its lines ended in one way; null for what is no text. */
function decode(bytes: Buffer): string | null {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/gu, '\n');
		return text.includes('\0') ? null : text;
	} catch {
		return null;
	}
}

/** Infinite for what is no time: nothing ends after it. */
function secondsOf(time: string): number {
	return time === '' ? Number.POSITIVE_INFINITY : time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
