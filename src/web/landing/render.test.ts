import { describe, expect, it, test } from 'vitest';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { emptyLandingForm, type LandingProps, type LegalProps } from '#contract/storefront/landing.ts';
import type { LandingVideo } from '#contract/storefront/video-parts.ts';
import { makePageContent } from '../../../test/support/storefront/page-content.ts';
import { renderLanding, renderLegal } from './render.tsx';

const assets = {
	scripts: ['/assets/landing.js'],
	preloads: ['/assets/react.js'],
	styles: ['/assets/landing.css'],
};
const bank = { name: 'Example Bank', accountNumber: '0042 1000', ifsc: 'EXMP0000421', accountHolder: 'Books' };

const contact = { socialLinks: [], chatUrl: '', sendsMail: true, email: '', phone: '' };

const video: LandingVideo = {
	src: '/films/video.mp4',
	seconds: 36,
	captions: [{ language: 'en', src: '/films/video.vtt' }],
	title: '',
	isDefault: true,
};

function renderPage(changes: Partial<LandingProps> = {}): string {
	const { locale = 'en', book = bookDefaults } = changes;
	const props: LandingProps = {
		locale,
		book,
		content: makePageContent({ locale, book }),
		contact,
		publicUrl: 'https://books.example',
		year: 2026,
		form: emptyLandingForm,
		films: { benefits: video, 'how-to-get': video },
		payment: null,
		isInApp: false,
		...changes,
	};
	return renderLanding(props, assets);
}

const scripts = (html: string) => [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gu)];
/** Returns the first tag that contains `words`. Tests do not compare whole tags: React may reorder the attributes. */
const tag = (html: string, words: string) =>
	[...html.matchAll(/<[a-z]+\b[^>]*>/gu)].map(String).find((openingTag) => openingTag.includes(words)) ?? '';

describe('renderLanding', () => {
	it.each(['en', 'hi'] as const)('contains no inline scripts or styles (%s)', (locale) => {
		const html = renderPage({ locale, book: { ...bookDefaults, bank, qrCodeUrl: '/qr' } });
		expect(html).not.toMatch(/<[^>]*\sstyle=/u);
		expect(html).not.toMatch(/<style\b/u);
		expect(html).not.toMatch(/<[^>]*\son[a-z]+=/u);
		for (const [, attributes, content] of scripts(html)) {
			if (attributes?.includes('application/')) expect(() => JSON.parse(content ?? '')).not.toThrow();
			else expect([attributes, content]).toEqual([expect.stringContaining('src="/assets/landing.js"'), '']);
		}
		expect(scripts(html)).toHaveLength(4);
	});

	it('contains the page language, the URLs and the assets', () => {
		const html = renderPage({ locale: 'hi' });
		expect(html).toMatch(/^<!doctype html><html lang="hi" data-theme="light">/u);
		expect(html).toContain('<link rel="canonical" href="https://books.example/?lang=hi"/>');
		expect(html).toContain('hrefLang="en" href="https://books.example/?lang=en"');
		expect(html).toContain('<link rel="stylesheet" href="/assets/landing.css"/>');
		expect(html).toContain('<link rel="modulepreload" href="/assets/react.js" fetchPriority="low"/>');
		expect(html).toMatch(/<title>[^<]+<\/title><meta name="description" content="[^"]+"/u);
	});

	it('escapes the props in the data block', () => {
		const title = '</script><script>alert(1)</script>\u2028<!--';
		const html = renderPage({ book: { ...bookDefaults, title } });
		const block = /<script type="application\/json" id="landing-props">([\s\S]*?)<\/script>/u.exec(html)?.[1] ?? '';
		expect(block).not.toMatch(/[<>\u2028\u2029]/u);
		expect((JSON.parse(block) as LandingProps).book.title).toBe(title);
		expect(html).not.toContain('<script>alert');
	});
});

const bookWith = (changes: Partial<LandingProps['book']>) => ({ book: { ...bookDefaults, ...changes } });

test.each<[string, Partial<LandingProps>, shown: Array<string | RegExp>, hidden: string[]]>([
	[
		'prices with Indian digit grouping, the original price struck through',
		bookWith({ originalPrice: 100000, discountedPrice: 1499.5 }),
		[/<s class="price-original">.*?₹1,00,000<\/s>/u, '₹1,499.50'],
		[],
	],
	['no original price without a discount', bookWith({ originalPrice: 499 }), ['₹499'], ['<s ']],
	[
		'only the payment details that the owner has set',
		bookWith({ bank: { ...bank, ifsc: ' ' } }),
		['0042 1000'],
		['>IFSC<', 'qr-card', 'Or by bank transfer'],
	],
	[
		'the QR code with the amount',
		bookWith({ qrCodeUrl: '/media/qr?a=1&b=2' }),
		[
			/<img src="\/media\/qr\?a=1&amp;b=2" alt="UPI QR code for the payment of ₹499"[^>]*\/><p class="qr-amount">₹499<\/p>/u,
		],
		[],
	],
	[
		'no request to pay while no payment method is set',
		{},
		['The payment details will stand here soon. The price is ₹499.', 'The payment details are on their way'],
		['ask us how to pay', 'After a bank transfer'],
	],
	[
		'the email address while no payment method is set',
		{ contact: { ...contact, email: 'hello@books.example' } },
		['Or ask us how to pay: <a href="mailto:hello@books.example">hello@books.example</a>'],
		[],
	],
	[
		'the chat while neither a payment method nor an email address is set',
		{ contact: { ...contact, chatUrl: 'https://chat.example/me' }, locale: 'hi' },
		['या हमसे पूछें कि भुगतान कैसे करें: <a href="https://chat.example/me">हमसे बात करें</a>'],
		[],
	],
	[
		'how to fill in the UPI ID after a bank transfer',
		bookWith({ bank }),
		['After a bank transfer, the account holder'],
		[],
	],
])('the landing page shows %s', (_what, changes, shown, hidden) => {
	const html = renderPage(changes)
		.replace(/<script[\s\S]*?<\/script>/gu, '')
		.replaceAll('<!-- -->', '');
	for (const text of shown) expect(html).toMatch(text);
	for (const text of hidden) expect(html).not.toContain(text);
});

test('the posted checkout form opens the page at the form, and its file input accepts only images', () => {
	const html = renderPage();
	expect(tag(html, '<form')).toContain('action="/purchase#submit-details"');
	expect(tag(html, 'name="screenshot"')).toContain('accept="image/*"');
});

test('the structured data contains the price in rupees, the book and its image', () => {
	const html = renderPage({ locale: 'hi', book: { ...bookDefaults, discountedPrice: 1499.5 } });
	const block = /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/u.exec(html)?.[1] ?? '';
	expect(JSON.parse(block)).toMatchObject({
		'@type': ['Product', 'Book'],
		name: 'अपना साम्राज्य बनाएँ',
		image: 'https://books.example/social.png',
		offers: { price: '1499.50', priceCurrency: 'INR', url: 'https://books.example/?lang=hi' },
	});
	expect(html).toContain('<meta property="og:image" content="https://books.example/social.png"/>');
	expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
});

describe('renderLegal', () => {
	const renderLegalPage = ({ locale = 'en', book = bookDefaults, ...changes }: Partial<LegalProps> = {}) =>
		renderLegal(
			{
				page: 'refund',
				locale,
				book,
				content: makePageContent({ locale, book }),
				contact,
				text: { language: 'en', words: '' },
				publicUrl: 'https://books.example',
				year: 2026,
				...changes,
			},
			{ styles: ['/assets/landing.css'], scripts: [] },
		);

	it.each(['en', 'hi'] as const)('renders a default text with the title of the book and no script (%s)', (locale) => {
		for (const page of ['privacy', 'terms', 'refund'] as const) {
			const html = renderLegalPage({ page, locale, book: { ...bookDefaults, title: 'The Ledger' } });
			expect(html).toMatch(new RegExp(`^<!doctype html><html lang="${locale}"`, 'u'));
			expect(html).toContain(`<link rel="canonical" href="https://books.example/${page}?lang=${locale}"/>`);
			expect(html.match(/<p>/gu)?.length).toBeGreaterThan(4);
			expect(html).toContain('The Ledger');
			expect(html).not.toContain('<script');
		}
	});

	it('escapes the text of the owner and splits it into paragraphs', () => {
		const html = renderLegalPage({ text: { language: 'en', words: 'One <b>line</b>\nand one more.\n\nTwo.' } });
		expect(html).toContain('<p>One &lt;b&gt;line&lt;/b&gt;\nand one more.</p><p>Two.</p>');
	});

	it('links anchors to the landing page, and the language switch to the legal page', () => {
		const html = renderLegalPage();
		expect(html).toContain('href="/#book"');
		expect(html).not.toContain('href="#book"');
		expect(html).toContain('href="/refund?lang=hi"');
	});
});
