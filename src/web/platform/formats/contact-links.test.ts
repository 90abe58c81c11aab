import { expect, test } from 'vitest';
import { mailHref, phoneHref } from './contact-links.ts';

test.each<[string, string | null]>([
	['+91 98000 12345', 'tel:+919800012345'],
	['98000-12345', 'tel:9800012345'],
	['098000 12345', 'tel:09800012345'],
	['91 98000 12345', 'tel:919800012345'],
	['(022) 2345–6789', 'tel:02223456789'],
	['1800.123.4567', 'tel:18001234567'],
	['+44 (0)20 7946 0958', 'tel:+442079460958'],
	['०९८७६ ५४३२१', 'tel:0987654321'],
	['＋९१ ९८०००\u00a0१२३४५', 'tel:+919800012345'],
	['\u200e98000\u206012345', 'tel:9800012345'],
	['WhatsApp: +91 98000 12345', 'tel:+919800012345'],
	['112', 'tel:112'],
	...[
		'98000 12345, 98000 54321',
		'98000 12345 / 98000 54321',
		'98000 12345 or 98000 54321',
		'98000 12345 98000 54321',
		'98000 12345-46',
		'+91 98;ext=5,,#31#*',
		'98000 12345#',
		'+91 98000 12345 +91 98000 54321',
		'on request',
		'अनुरोध पर',
		'',
		'+',
		'9',
	].map((text): [string, null] => [text, null]),
])('phoneHref converts %j to %s', (phone, href) => {
	expect(phoneHref(phone)).toBe(href);
});

test('mailHref escapes special characters', () => {
	expect(mailHref('a&b?c@books.example')).toBe('mailto:a%26b%3Fc@books.example');
});
