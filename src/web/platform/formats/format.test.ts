import { describe, expect, test } from 'vitest';
import {
	formatCount,
	formatDate,
	formatDateTime,
	formatMoney,
	formatSize,
	formatStorage,
	formatTime,
	isToday,
} from './format.ts';

test.each([
	[0, '0.00 KB'],
	[39_444, '38.52 KB'],
	[1024 * 1024, '1024.00 KB'],
	[1024 * 1024 + 11, '1.00 MB'],
	[1_331_439_862, '1269.76 MB'],
])('formatSize formats %d bytes as %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));

test.each([
	[0, '0 KB'],
	[1023, 'less than 1 KB'],
	[39_444, '38.52 KB'],
	[1024 ** 3 - 1, '1024.00 MB'],
	[1024 ** 3, '1.00 GB'],
	[80_446_980_915, '74.92 GB'],
])('formatStorage formats %d bytes as %s, with non-breaking spaces', (bytes, text) =>
	expect(formatStorage(bytes)).toBe(text.replaceAll(' ', '\u00a0')),
);

test.each([
	[499, '₹499'],
	[60_878, '₹60,878'],
	[1_234_567, '₹12,34,567'],
	[499.5, '₹499.50'],
])('formatMoney formats %d rupees as %s', (rupees, text) => expect(formatMoney(rupees)).toBe(text));

test('formatCount groups digits in lakhs', () => expect(formatCount(122_000)).toBe('1,22,000'));

describe('dates and times', () => {
	const moment = '2026-11-14T11:02:00.000Z';

	test('formatDateTime uses Indian English, 12 hours, and the given time zone', () =>
		expect(formatDateTime(moment, 'Asia/Kolkata')).toBe('14 Nov 2026, 4:32 pm'));
	test('formatDateTime contains the part of the day in Hindi', () => {
		expect(formatDateTime(moment, 'Asia/Kolkata', 'hi')).toBe('14 नव॰ 2026, शाम 4:32');
		expect(formatTime('2026-11-14T18:30:00.000Z', 'Asia/Kolkata', 'hi')).toBe('रात 12:00');
	});
	test('formatTime uses the given time zone', () => expect(formatTime(moment, 'UTC')).toBe('11:02 am'));
	test('formatTime returns 12:00 am at midnight', () =>
		expect(formatTime('2026-11-14T18:30:00.000Z', 'Asia/Kolkata')).toBe('12:00 am'));
	test('formatDate returns the date in the given time zone', () => {
		expect(formatDate('2026-11-14T18:29:59.000Z', 'Asia/Kolkata')).toBe('14 Nov 2026');
		expect(formatDate('2026-11-14T18:30:00.000Z', 'Asia/Kolkata')).toBe('15 Nov 2026');
	});
	test('isToday compares dates in the given time zone', () => {
		const now = new Date('2026-11-14T18:31:00.000Z');
		expect(isToday('2026-11-14T18:30:00.000Z', now, 'Asia/Kolkata')).toBe(true);
		expect(isToday('2026-11-14T18:29:00.000Z', now, 'Asia/Kolkata')).toBe(false);
	});
});
