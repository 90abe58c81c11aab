import { describe, expect, it } from 'vitest';
import { sanitizeCaptions } from './captions.ts';

const sanitize = (text: string) => sanitizeCaptions(Buffer.from(text));

describe('sanitizeCaptions', () => {
	it('returns plain captions unchanged', () => {
		const text = 'WEBVTT\n\n00:00.500 --> 00:02.000\nपिरामिड\nपर सूरज\n\n01:00:00.000 --> 01:00:01.000\nLast\n';
		expect(sanitize(text)).toBe(text);
	});

	it('removes styles, regions, notes, names, positions and markup', () => {
		const text = [
			'\uFEFFWEBVTT - a title\r\nKind: captions',
			'STYLE\r\n::cue { background: url(https://evil.example) }',
			'REGION\r\nid:fred',
			'NOTE\r\nwritten by somebody',
			'1\r\n00:00.500 --> 00:02.000 position:10% line:0\r\n<v Asha>A <b>tier</b> & <img src=x onerror=alert(1)',
		].join('\r\n\r\n');
		expect(sanitize(text)).toBe('WEBVTT\n\n00:00.500 --> 00:02.000\nA tier &\n');
	});

	it.each([
		['nothing', ''],
		['only a header', 'WEBVTT\n'],
		['a wrong header', 'WEBVTTX\n\n00:00.500 --> 00:02.000\nx'],
		['SubRip', '1\n00:00:00,500 --> 00:00:02,000\nx'],
		['a time in the format of SubRip', 'WEBVTT\n\n00:00:00,500 --> 00:00:02,000\nx'],
		['an end before its start', 'WEBVTT\n\n00:03.000 --> 00:02.000\nx'],
		['a time with 70 minutes', 'WEBVTT\n\n70:00.000 --> 71:00.000\nx'],
		['a cue without text', 'WEBVTT\n\n00:00.500 --> 00:02.000\n<b></b>'],
		['a NUL', 'WEBVTT\n\n00:00.500 --> 00:02.000\na\0b'],
	])('rejects captions with this content: %s', (_what, text) => expect(sanitize(text)).toBeNull());

	it('rejects captions that are not encoded in UTF-8', () => {
		expect(sanitizeCaptions(Buffer.from('WEBVTT\n\n00:00.500 --> 00:02.000\nna\xefve', 'latin1'))).toBeNull();
	});
});
