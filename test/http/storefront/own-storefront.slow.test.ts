import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { unnamedPart } from '#contract/book/editions.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { changeOrder } from '../../support/fixtures/orders.ts';
import { findWords, foreignWords } from '../../support/storefront/foreign-words.ts';
import { publishFields } from '../../support/storefront/storefront.ts';

const { testApp, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' }, 'owner@example.com');
const both = (en: string, hi = '') => ({ en, hi });
const item = (id: string, title: string, text = '') => ({ id, title: both(title), text: both(text) });

const excerpt = (text: string) => ({
	id: 'dal',
	label: both('Recipe 7'),
	shortLabel: both(''),
	title: both('Dal for a rainy day'),
	lead: both('Slow fire, one pot.'),
	text: both(text),
	note: both('From the chapter on lentils.'),
});

await publishFields(admin, { template: 'empty' });
await publishFields(admin, {
	languages: ['en'],
	wordmark: both('Dadi’s Table'),
	author: both('Asha Rao'),
	'hero.tagline': both('Forty recipes of a grandmother from Nagpur.'),
	'covers.drawing': { style: 'plain', ground: '#1b4d3e', ink: '#f7e9c8' },
	'colors.accent': '#1b4d3e',
	'benefits.items': [item('one', 'Cook without measuring', 'Trust your hand.')],
	'excerpts.items': [excerpt('## Soak\n\nWash the dal *three* times.')],
});
await saveBook(admin, {
	title: "Dadi's Kitchen",
	originalPrice: 750,
	discountedPrice: 750,
	parts: [{ number: 1, name: { en: '', hi: '' } }],
	languages: [{ code: 'en', name: 'English' }],
});

const forbidden = [...foreignWords, 'हिन्दी'];
const visitor = () => createHttpClient(testApp.app, '198.51.100.9');
const read = async (url: string, headers: Record<string, string> = {}) =>
	(await visitor().call('GET', url, undefined, headers)).body;

const paths = [
	'/',
	'/?lang=hi',
	'/privacy',
	'/terms',
	'/refund',
	'/login',
	'/manifest.webmanifest',
	'/sitemap.xml',
	'/robots.txt',
	'/api/book',
];

const inHindi = { cookie: 'lang=hi' };

/** Buys the book, completes the order, and reads the order's pages and the mails. */
async function sell(buyer: string) {
	const answer = await sendCheckoutForm(visitor(), { email: buyer }, undefined, inHindi);
	expect(answer.statusCode).toBe(200);
	const { statusUrl } = answer.json();
	const [order] = await findRows(testApp.deps, 'orders', { email: buyer });
	expect((await changeOrder(admin, String(order?.id), { status: 'Complete' })).statusCode).toBe(200);
	const pages = await Promise.all([statusUrl, `${statusUrl}/receipt`].map((url) => read(url, inHindi)));
	const mails = await listMailsTo(testApp, buyer);
	expect(mails.length).toBeGreaterThanOrEqual(2);
	const texts = mails.flatMap(({ subject, html, text }) => [subject, html, text].map(String));
	return { pages, mails, texts };
}

describe('a cookbook in one English edition', () => {
	test.each(paths)('%s says nothing of the default book or of other editions', async (url) => {
		const body = await read(url, inHindi);
		expect(body.length).toBeGreaterThan(50);
		expect(findWords(forbidden, url, body)).toEqual([]);
		expect(body).not.toMatch(/Folio|hreflang|\?lang=|lang="hi"/u);
	});

	test('the landing page shows its own content, and no links to sections that it does not have', async () => {
		const body = await read('/');
		for (const text of ['Dadi’s Table', 'Dadi&#x27;s Kitchen', 'Forty recipes', 'Asha Rao', 'Cook without measuring'])
			expect(body).toContain(text);
		expect(body).toContain('<h3>Soak</h3>');
		expect(body).toContain('class="plain-cover"');
		expect(body).not.toContain('class="video"');
		await publishFields(admin, { 'benefits.items': [], 'excerpts.items': [] });
		expect(await read('/')).not.toMatch(/#gain|#read|#excerpt/u);
		// From it, the workspace knows not to speak of excerpts.
		expect(await read('/login')).toContain('&quot;excerptCount&quot;:0');
		await publishFields(admin, {
			'benefits.items': [item('one', 'Cook without measuring')],
			'excerpts.items': [excerpt('Wash the dal.')],
		});
	});

	test('the mails, the order page and the receipt of a buyer name the own book only', async () => {
		const { pages, mails, texts } = await sell('buyer@example.com');
		for (const text of [...pages, ...texts]) {
			expect(findWords(forbidden, 'an order', text)).toEqual([]);
			expect(text).not.toMatch(/Folio/u);
		}
		expect(texts.join()).toContain('Dadi’s Table');
		expect(pages.join()).toContain('Dadi&#x27;s Kitchen');
		const image = mails[0]?.attachments.find(({ mimeType }) => mimeType === 'image/png')?.content as ArrayBuffer;
		const { dominant } = await sharp(Buffer.from(image)).stats();
		// The ground colour of the cover.
		expect(dominant.g).toBeGreaterThan(dominant.r);
	});

	test('the mails of a second order and of a new password name the own book only', async () => {
		const buyer = 'twice@example.com';
		await sell(buyer);
		const { texts } = await sell(buyer);
		await visitor().call('POST', '/api/password/request-reset', { email: buyer });
		const mails = await listMailsTo(testApp, buyer);
		const all = [...texts, ...mails.flatMap(({ subject, html, text }) => [subject, html, text].map(String))];
		expect(all).toContain("We have your order for Dadi's Kitchen");
		expect(all).toContain('Set a new password');
		expect(all.flatMap((text) => findWords(forbidden, 'a mail', text))).toEqual([]);
	});

	test('the app has icons without the mark of the default book', async () => {
		const { icons } = JSON.parse(await read('/manifest.webmanifest'));
		expect(icons.length).toBeGreaterThan(2);
		for (const { src } of icons) {
			expect(src).toMatch(/^\/book/u);
			expect(testApp.app.routeList).toContainEqual(expect.objectContaining({ url: src }));
		}
	});

	test('the picture for links is drawn from title and colours', async () => {
		const url = /<meta property="og:image" content="[^"]*(\/storefront\/[^"]+)"/u.exec(await read('/'))?.[1] ?? '';
		const answer = await visitor().call('GET', url);
		expect(answer.headers['content-type']).toBe('image/png');
		expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
	});

	test('the stylesheet with the colours may be cached forever, and a wrong address is not found', async () => {
		const url = /\/storefront\/colors\/[\w-]+\.css/u.exec(await read('/'))?.[0] ?? '';
		const { headers, body } = await visitor().call('GET', url);
		expect(headers['cache-control']).toContain('immutable');
		expect(headers['content-type']).toContain('text/css');
		expect(body).toContain('--accent-fill:#1b4d3e;');
		expect(body).toContain('--on-accent-fill:#ffffff;');
		expect((await visitor().call('GET', url.replace('1b4d3e', 'x;}'))).statusCode).toBe(404);
	});
});

test('while the database fails, visitors see what was published last, and not the default book', async () => {
	await read('/');
	const { db, bus } = testApp.deps;
	const noTable = db.selectFrom('no_such_table' as 'settings');
	const failure = vi.spyOn(db, 'selectFrom').mockReturnValue(noTable as never);
	bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	const bodies = await Promise.all(['/', '/terms', '/login'].map((url) => read(url)));
	expect(failure).toHaveBeenCalled();
	failure.mockRestore();
	for (const body of bodies) expect(body).toContain('Dadi’s Table');
});

describe.each([
	{
		what: 'one Hindi edition with a storefront in Hindi',
		fields: { languages: ['hi' as const], wordmark: both('', 'दादी की मेज़'), author: both('', 'आशा राव') },
		book: {
			title: 'दादी की रसोई',
			parts: [unnamedPart(1)],
			languages: [{ code: 'hi', name: 'हिन्दी' }],
		},
		words: [
			...foreignWords,
			'साम्राज्य',
			'मानसिकता',
			'दोनों',
			'दो भाग',
			'भाग 1',
			'भागों',
			'English',
			'अंग्रेज़ी',
			'पिरामिड',
			'hreflang',
		],
		item: 'दादी की रसोई',
		said: 'एक बार भुगतान, कोई सदस्यता नहीं।',
	},
	{
		what: 'three parts in two languages',
		fields: { languages: ['en' as const, 'hi' as const], wordmark: both('Dadi’s Table', 'दादी की मेज़') },
		book: {
			title: "Dadi's Kitchen",
			parts: [unnamedPart(1), unnamedPart(2), { number: 3, name: { en: 'Sweets', hi: 'मिठाइयाँ' } }],
			languages: [
				{ code: 'en', name: 'English' },
				{ code: 'mr', name: 'मराठी' },
			],
		},
		words: [...foreignWords.filter((word) => word !== 'part 1'), '\\bboth\\b', 'parts 1 and 2', 'दोनों', 'दो भाग'],
		item: 'Dadi&#x27;s Kitchen, 3 भागों में',
		said: 'In 3 parts, in English and',
	},
])('a book of $what', ({ what, fields, book, words, item, said }) => {
	beforeAll(async () => {
		await publishFields(admin, { languages: ['en'], 'benefits.items': [], 'excerpts.items': [] });
		await publishFields(admin, fields);
		await saveBook(admin, book);
	});

	test('neither its pages nor its order and mails name other editions or the default book', async () => {
		const bodies = await Promise.all([...paths, '/?lang=en'].map((url) => read(url, inHindi)));
		const { pages, texts } = await sell(`${book.languages.length}-languages@example.com`);
		expect([...bodies, ...pages, ...texts].flatMap((text, i) => findWords(words, paths[i] ?? what, text))).toEqual([]);
		expect(pages.join()).toContain(item);
		expect(bodies.at(-1)).toContain(said);
	});
});

test('Markdown and names that try to run code or to load from other servers are harmless', async () => {
	const hostile = [
		'<script>alert(1)</script> <img src=x onerror=alert(1)>',
		'[press](javascript:alert(1)) [data](data:text/html,x) [mine](/privacy) [other](https://other.example/)',
		'![remote](https://evil.example/x.png) ![local](/storefront/images/none/1.png) <iframe src="//evil.example"></iframe>',
		`${'x'.repeat(200)} 👩‍🍳 \u202eright\u202c`,
		'| a | b |\n|---|---|',
	].join('\n\n');
	const name = '</title><script>alert(1)</script>';
	await publishFields(admin, {
		wordmark: both(name.slice(0, 40)),
		'hero.tagline': both(name),
		'benefits.items': [item('one', name, name)],
		'excerpts.items': [{ ...excerpt(hostile), title: both(name), label: both(name.slice(0, 40)) }],
	});
	const body = await read('/');
	const tags = [...body.matchAll(/<([a-z]+)\b[^>]*>/gu)].map(String);
	expect(tags.filter((tag) => /^<(?:iframe|img[^>]*onerror)|\son\w+=|javascript:|data:text/u.test(tag))).toEqual([]);
	expect(body).not.toContain('<script>alert');
	expect(tags.filter((tag) => /(?:src|srcset|href)="[^"]*evil\.example/iu.test(tag))).toEqual([]);
	expect(body).toContain('href="https://other.example/"');
	expect(body).toContain('href="/privacy"');
	expect(body).not.toMatch(/href="(?:javascript|data)/u);
	expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
	for (const [, json = ''] of body.matchAll(/<script type="application\/[^>]*>([\s\S]*?)<\/script>/gu))
		expect(() => JSON.parse(json)).not.toThrow();
});

describe('the language of a storefront', () => {
	const open = async (client: HttpClient, url: string, headers: Record<string, string>) => {
		const { body, cookies } = await client.call('GET', url, undefined, headers);
		const stored = cookies.find(({ name }) => name === 'lang')?.value ?? null;
		return [/<html lang="(\w+)"/u.exec(body)?.[1], stored];
	};

	test.each([
		[['en', 'hi'], '/', {}, 'en', null],
		[['hi', 'en'], '/', {}, 'hi', null],
		[['en', 'hi'], '/', { 'accept-language': 'fr-FR, hi;q=0.8, en;q=0.7' }, 'hi', null],
		[['en', 'hi'], '/login', { 'accept-language': 'hi-IN' }, 'hi', null],
		[['hi', 'en'], '/', { 'accept-language': 'en-GB;q=0.5, hi;q=0' }, 'en', null],
		[['en', 'hi'], '/', { 'accept-language': 'en', cookie: 'lang=hi' }, 'hi', null],
		[['en', 'hi'], '/?lang=hi', {}, 'hi', 'hi'],
		[['en'], '/?lang=hi', { 'accept-language': 'hi' }, 'en', null],
		[['en'], '/terms?lang=hi', { cookie: 'lang=hi' }, 'en', null],
		[['hi'], '/login?lang=en', { 'accept-language': 'en' }, 'hi', null],
		[['hi'], '/order/unknown', { accept: 'text/html', cookie: 'lang=en' }, 'hi', null],
	] as const)('with the languages %j, %s with %j is in %s', async (languages, url, headers, lang, stored) => {
		await publishFields(admin, { languages: [...languages] });
		expect(await open(visitor(), url, headers)).toEqual([lang, stored]);
	});

	test('does not limit the language of a signed-in member outside the storefront', async () => {
		await publishFields(admin, { languages: ['en'], wordmark: both('Dadi’s Table') });
		const { client } = await makeSignedInUser(testApp, 'member@example.com');
		expect(await open(client, '/dashboard?lang=hi', {})).toEqual(['hi', 'hi']);
		expect((await client.call('GET', '/dashboard')).body).toContain('<title>Dadi’s Table</title>');
		expect(await open(client, '/', {})).toEqual(['en', null]);
	});
});
