import type { Email } from 'postal-mime';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { unnamedPart } from '#contract/book/editions.ts';
import { renderers } from '#web/landing/render.tsx';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient, multipart } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { changeOrder } from '../../support/fixtures/orders.ts';
import { findWords, foreignWords } from '../../support/storefront/foreign-words.ts';
import { publishFields, uploadPicture } from '../../support/storefront/storefront.ts';

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

const textsOf = (mails: Email[]) => mails.flatMap(({ subject, html, text }) => [subject, html, text].map(String));

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
	return { pages, mails };
}

describe('a cookbook in one English edition', () => {
	test('the landing page shows its own content, and no links to sections that it does not have', async () => {
		const body = await read('/');
		for (const text of ['Dadi’s Table', 'Dadi&#x27;s Kitchen', 'Forty recipes', 'Asha Rao', 'Cook without measuring'])
			expect(body).toContain(text);
		expect(body).toContain('#gain">What You&#x27;ll Gain</a>');
		expect(body).toContain('<h3>Soak</h3>');
		expect(body).toContain('class="plain-cover"');
		expect(body).not.toContain('class="video"');
		await publishFields(admin, { 'benefits.heading': both('What will you cook?') });
		expect(await read('/')).toContain('#gain">What will you cook?</a>');
		await publishFields(admin, { 'benefits.heading': both(''), 'benefits.items': [], 'excerpts.items': [] });
		expect(await read('/')).not.toMatch(/#gain|#read|#excerpt/u);
		// The workspace mentions excerpts only if there are any.
		expect(await read('/login')).toContain('&quot;excerptCount&quot;:0');
		await publishFields(admin, {
			'benefits.items': [item('one', 'Cook without measuring')],
			'excerpts.items': [excerpt('Wash the dal.')],
		});
	});

	test('the mails of a second order and of a new password contain only the own book', async () => {
		const buyer = 'twice@example.com';
		await sell(buyer);
		await sell(buyer);
		await visitor().call('POST', '/api/password/request-reset', { email: buyer });
		const mails = await listMailsTo(testApp, buyer);
		const texts = textsOf(mails);
		expect(texts).toContain("We have your order for Dadi's Kitchen");
		expect(texts).toContain('Set a new password');
		expect(texts.flatMap((text) => findWords([...foreignWords, 'हिन्दी'], 'a mail', text))).toEqual([]);
		const image = mails[0]?.attachments.find(({ mimeType }) => mimeType === 'image/png')?.content as ArrayBuffer;
		const { dominant } = await sharp(Buffer.from(image)).stats();
		// The ground colour of the cover is green.
		expect(dominant.g).toBeGreaterThan(dominant.r);
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

	test('the picture for links shows the cover of the page, and a book for a title in a script without a font', async () => {
		const upload = async (background: string) => {
			const bytes = sharp({ create: { width: 400, height: 600, channels: 3, background } }).png();
			return (await uploadPicture(admin, 'cover', await bytes.toBuffer())).json().id;
		};
		const [red, blue] = [await upload('#ff0000'), await upload('#0000ff')];
		const colorsAt = async (left: number, width: number) => {
			const { rawPayload } = await visitor().call('GET', '/storefront/social-en.png');
			const part = await sharp(rawPayload).extract({ left, top: 165, width, height: 300 }).toBuffer();
			const { channels, dominant } = await sharp(part).removeAlpha().stats();
			return { deviation: channels[0]?.stdev ?? 0, isBlue: dominant.b > 200 };
		};
		// The first key is of an edition that the book does not have.
		await publishFields(admin, { covers: { 'part-1-hi': red, 'part-1-en': blue } });
		expect(await colorsAt(900, 150)).toMatchObject({ isBlue: true });
		await publishFields(admin, { 'book.title': both('தமிழ் Book') });
		expect(await colorsAt(525, 150)).toMatchObject({ isBlue: true });
		await publishFields(admin, { covers: {} });
		expect((await colorsAt(450, 300)).deviation).toBeGreaterThan(20);
		expect((await colorsAt(100, 300)).deviation).toBe(0);
		await publishFields(admin, { 'book.title': both('') });
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

test('when a text cannot be rendered, visitors see the content before it, with the current price, until it changes', async () => {
	const failure = vi.spyOn(testApp.deps.log, 'error');
	onTestFinished(() => failure.mockRestore());
	const { renderLanding } = renderers;
	const rendering = vi.spyOn(renderers, 'renderLanding').mockImplementation((props, assets) => {
		// As a text does that exhausts the stack.
		if (props.content.wordmark === 'Too deep') throw new RangeError('Maximum call stack size exceeded');
		return renderLanding(props, assets);
	});
	onTestFinished(() => rendering.mockRestore());
	await publishFields(admin, { wordmark: both('Too deep') });
	expect(await read('/')).toContain('Dadi’s Table');
	expect(failure).toHaveBeenCalledWith(
		{ err: expect.any(RangeError), page: 'landing en' },
		'the page cannot be rendered',
	);
	await saveBook(admin, { discountedPrice: 321 });
	expect(await read('/')).toMatch(/Dadi’s Table[\s\S]*₹321/u);
	const form = multipart({ name: '' });
	const refused = await visitor().call('POST', '/purchase', form.body, form.headers);
	expect([refused.statusCode, refused.body.includes('Dadi’s Table')]).toEqual([422, true]);
	const restarted = await openSecondProcess(testApp);
	const { statusCode, body } = await createHttpClient(restarted.app).call('GET', '/');
	expect([statusCode, /₹321/u.test(body), /Too deep|Build Your Empire/u.test(body)]).toEqual([200, true, false]);
	await publishFields(admin, { wordmark: both('Dadi’s Table'), 'excerpts.items': [] });
	expect(await read('/')).toContain('Dadi’s Table');
});

const noLists = { 'benefits.items': [], 'excerpts.items': [] };

test.each([
	{
		what: 'one English edition with a storefront in English',
		fields: {},
		book: {},
		words: [...foreignWords, 'thoughts and practice', 'Two chapters', 'हिन्दी'],
		markup: /Folio|hreflang|\?lang=|lang="hi"/u,
		said: 'One payment, no subscription.',
		item: 'Dadi&#x27;s Kitchen',
		seller: 'Dadi’s Table',
	},
	{
		what: 'one Hindi edition with a storefront in Hindi',
		fields: { ...noLists, languages: ['hi' as const], wordmark: both('', 'दादी की मेज़'), author: both('', 'आशा राव') },
		book: { title: 'दादी की रसोई', parts: [unnamedPart(1)], languages: [{ code: 'hi', name: 'हिन्दी' }] },
		words: [
			...foreignWords,
			...['साम्राज्य', 'मानसिकता', 'दोनों', 'दो भाग', 'भाग 1', 'भागों', 'English', 'अंग्रेज़ी', 'पिरामिड'],
		],
		markup: /hreflang/u,
		said: 'एक बार भुगतान, कोई सदस्यता नहीं।',
		item: 'दादी की रसोई',
		seller: 'दादी की मेज़',
	},
	{
		what: 'three parts in two languages',
		fields: {
			...noLists,
			languages: ['en' as const, 'hi' as const],
			wordmark: both('Dadi’s Table', 'दादी की मेज़'),
		},
		book: {
			title: "Dadi's Kitchen",
			parts: [unnamedPart(1), unnamedPart(2), { number: 3, name: { en: 'Sweets', hi: 'मिठाइयाँ' } }],
			languages: [
				{ code: 'en', name: 'English' },
				{ code: 'mr', name: 'मराठी' },
			],
		},
		words: [...foreignWords.filter((word) => word !== 'part 1'), '\\bboth\\b', 'parts 1 and 2', 'दोनों', 'दो भाग'],
		markup: /Folio/u,
		said: 'In 3 parts, in English and',
		item: 'Dadi&#x27;s Kitchen, 3 भागों में',
		seller: 'दादी की मेज़',
	},
])(
	'pages, order and mails of a book of $what name neither other editions nor the default book',
	async ({ what, fields, book, words, markup, said, item, seller }) => {
		await publishFields(admin, fields);
		await saveBook(admin, book);
		const bodies = await Promise.all([...paths, '/?lang=en'].map((url) => read(url, inHindi)));
		const { pages, mails } = await sell(`${what.split(' ')[1]}@example.com`);
		const texts = [...pages, ...textsOf(mails)];
		expect([...bodies, ...texts].flatMap((text, i) => findWords(words, paths[i] ?? what, text))).toEqual([]);
		for (const body of bodies) expect(body).not.toMatch(markup);
		for (const text of texts) expect(text).not.toMatch(/Folio/u);
		expect(bodies.at(-1)).toContain(said);
		expect(pages.join()).toContain(item);
		expect(texts.join()).toContain(seller);
	},
);

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
		'videos.benefits': { source: 'default', film: null, captions: { en: null, hi: null }, title: both(name) },
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
