const timing = /^((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t].*)?$/u;

/** Reduces WebVTT captions (sections 4 and 6) to times and plain text. @returns null without valid captions */
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

/** Decodes UTF-8 without its byte-order mark, with line ends as \n; null if the bytes are not text. */
function decode(bytes: Buffer): string | null {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/gu, '\n');
		return text.includes('\0') ? null : text;
	} catch {
		return null;
	}
}

/** Converts a WebVTT time to seconds; infinity for an invalid time, so that the cue is rejected. */
function secondsOf(time: string): number {
	return time === '' ? Number.POSITIVE_INFINITY : time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
