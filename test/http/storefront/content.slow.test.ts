import { expect, test } from 'vitest';
import type { ContentVersion, DraftField } from '#contract/storefront/content.ts';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { defaultContent } from '#server/features/storefront/content/content-values.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import {
	publish,
	publishFields,
	readDraft,
	readField,
	saveField,
	seenChanges,
} from '../../support/storefront/storefront.ts';

const { testApp, deps, admin, adminId } = await openTestApp();
const { client: other } = await makeSignedInUser(testApp, 'other@example.com', 'admin');

const visit = async (url = '/privacy') => (await createHttpClient(testApp.app).call('GET', url)).body;
const texts = (en: string, hi = '') => ({ en, hi });
const readPublished = async () =>
	Object.fromEntries((await readDraft(admin)).map(({ field, published }) => [field, published]));
const listVersions = async (): Promise<ContentVersion[]> =>
	(await admin.call('GET', '/api/storefront/versions')).json().items;
const restore = (number: number) => admin.call('POST', `/api/storefront/versions/${number}/restore`);
const countAudit = async (action: string) => (await findRows(deps, 'audit', { action })).length;
const stale = { status: 409, code: 'STALE' };

test('a new installation has the content of the template as its first version, and an empty draft', async () => {
	const fields = await readDraft(admin);
	const defaults = defaultContent('build-your-empire');
	expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(defaults);
	for (const { field, ...state } of fields)
		expect(state, field).toEqual({
			value: defaults[field],
			published: defaults[field],
			default: defaults[field],
			version: 0,
			isChanged: false,
			changedBy: null,
			changedAt: null,
		});
	expect(await listVersions()).toMatchObject([{ number: 1, publishedBy: null, changes: [], isCurrent: true }]);
});

test('two admins who change different fields at once lose nothing, and of two changes of one field the second is refused', async () => {
	const [first, second] = await Promise.all([
		saveField(admin, 'hero.tagline', texts('By one'), 0),
		saveField(other, 'footer.text', texts('By another'), 0),
	]);
	expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
	expect(await readField(admin, 'footer.text')).toMatchObject({ changedBy: 'other@example.com', isChanged: true });

	const both = await Promise.all([
		saveField(admin, 'wordmark', texts('Mine'), 0),
		saveField(other, 'wordmark', texts('Yours'), 0),
	]);
	const refused = both.findIndex(({ statusCode }) => statusCode !== 200);
	expect(both[refused]?.json()).toMatchObject(stale);
	const saved = both[1 - refused]?.json() as DraftField;
	// What the refused admin needs to merge their text.
	expect(await readField(other, 'wordmark')).toEqual(saved);
	expect(saved).toMatchObject({ version: 1, value: texts(refused === 0 ? 'Yours' : 'Mine'), published: saved.default });
	expect(await visit()).not.toContain('By another');
});

test('publishing shows the draft to visitors at once, and is refused for other changes than the admin was shown', async () => {
	await saveField(admin, 'legal.privacy', texts('We keep your address.'));
	const seen = await seenChanges(admin);
	const later = (await saveField(other, 'legal.terms', texts('Be kind.'))).json() as DraftField;
	expect((await admin.call('POST', '/api/storefront/publish', seen)).json()).toMatchObject(stale);
	await saveField(other, 'legal.terms', texts('Be very kind.'), later.version);
	const outdated = { fields: [...seen.fields, { field: later.field, version: later.version }] };
	expect((await admin.call('POST', '/api/storefront/publish', outdated)).json()).toMatchObject(stale);
	expect((await admin.call('POST', '/api/storefront/discard', outdated)).json()).toMatchObject(stale);
	expect(await visit()).not.toContain('We keep your address.');
	expect(await listVersions()).toHaveLength(1);

	const answers = await Promise.all([publish(admin), publish(other)]);
	const published = answers.find(({ statusCode }) => statusCode === 200)?.json() as ContentVersion;
	expect(published).toMatchObject({ number: 2, isCurrent: true });
	expect(published.changes.toSorted()).toEqual(
		['footer.text', 'hero.tagline', 'legal.privacy', 'legal.terms', 'wordmark'].toSorted(),
	);
	expect(await listVersions()).toHaveLength(2);
	expect(await visit()).toContain('We keep your address.');
	expect(await visit('/terms')).toContain('Be very kind.');
	expect(await seenChanges(admin)).toEqual({ fields: [] });
	// A field keeps its version, so that an open editor can continue.
	expect((await saveField(other, 'legal.terms', texts('Be kind.'), later.version + 1)).statusCode).toBe(200);
	expect(await countAudit('storefront-published')).toBe(1);
});

test('discarding resets every changed field to its published value', async () => {
	await saveField(admin, 'legal.privacy', texts('Changed.'));
	const before = await readField(admin, 'legal.privacy');
	const answer = await admin.call('POST', '/api/storefront/discard', await seenChanges(admin));
	expect(answer.statusCode).toBe(200);
	expect(await readField(admin, 'legal.privacy')).toMatchObject({
		value: texts('We keep your address.'),
		isChanged: false,
		version: before.version + 1,
	});
	const late = await saveField(other, 'legal.privacy', texts('Late'), before.version);
	expect(late.json()).toMatchObject(stale);
	expect(await seenChanges(admin)).toEqual({ fields: [] });
	expect(await countAudit('storefront-discarded')).toBe(1);
});

test('a value that equals the default, or null, is stored as the default, which later versions may improve', async () => {
	await saveField(admin, 'hero.tagline', defaultContent('build-your-empire')['hero.tagline']);
	await saveField(admin, 'wordmark', null);
	const rows = await findRows(deps, 'storefront_fields', { has_draft: 1 });
	expect(rows.map(({ field, draft }) => [field, draft]).toSorted()).toEqual([
		['hero.tagline', null],
		['wordmark', null],
	]);
	await publish(admin);
	expect((await readPublished()).wordmark).toEqual(defaultContent('build-your-empire').wordmark);
});

test('the preview shows the draft to admins, and neither runs scripts nor sends forms', async () => {
	await saveField(admin, 'hero.tagline', texts('A line of the draft', 'ड्राफ़्ट की पंक्ति'));
	const preview = (lang = '') => admin.call('GET', `/api/storefront/preview${lang}`);
	const { body, headers } = await preview();
	expect(body).toContain('A line of the draft');
	expect(body).not.toMatch(/<script (?!type="application)/u);
	expect(headers).toMatchObject({
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-store',
		'content-security-policy': expect.stringMatching(/frame-ancestors 'self'; sandbox allow-same-origin allow-popups/u),
	});
	expect(headers['content-security-policy']).not.toMatch(/allow-(?:scripts|forms)/u);
	expect(headers['set-cookie']).toBeUndefined();
	expect((await preview('?lang=hi')).body).toContain('ड्राफ़्ट की पंक्ति');
	expect(await visit('/')).not.toContain('A line of the draft');
	await saveField(admin, 'languages', ['hi']);
	expect((await preview('?lang=en')).body).toContain('ड्राफ़्ट की पंक्ति');
	await admin.call('POST', '/api/storefront/discard', await seenChanges(admin));
});

test('another template changes every field that the owner has not changed', async () => {
	await publishFields(admin, { author: texts('Asha Rao'), template: 'empty' });
	expect(await readPublished()).toEqual({
		...defaultContent('empty'),
		author: texts('Asha Rao'),
		'footer.text': texts('By another'),
		'legal.privacy': texts('We keep your address.'),
		'legal.terms': texts('Be very kind.'),
	});
	await publishFields(admin, { author: null, template: null });
	expect((await readPublished())['benefits.items']).not.toEqual([]);
});

test('saving the present value again changes nothing, and quick changes of a field by one admin have one audit entry', async () => {
	const [before, { version }] = [await countAudit('storefront-draft-saved'), await readField(admin, 'page.title')];
	for (const [step, title] of ['A', 'Ab', 'Abc', 'Abc'].entries())
		expect((await saveField(admin, 'page.title', texts(title))).json().version).toBe(version + Math.min(step, 2) + 1);
	expect(await countAudit('storefront-draft-saved')).toBe(before + 1);
	await saveField(other, 'page.title', texts('Abcd'));
	testApp.clock.advance(1200);
	await saveField(other, 'page.title', texts('Abcde'));
	expect(await countAudit('storefront-draft-saved')).toBe(before + 3);
	const [entry] = (await admin.call('GET', '/api/audit')).json().items;
	expect(entry).toMatchObject({ kind: 'settings', details: [{ label: 'Changed fields', value: 'page.title' }] });
	await admin.call('POST', '/api/storefront/discard', await seenChanges(admin));
});

const address = 'https://video.example/@founder';
const video = { source: 'own', film: null, captions: { en: null, hi: null }, title: texts('') };
const none = texts('');
const makeExcerpt = (id: string, text: { en: string; hi: string }) => {
	return { id, label: none, shortLabel: none, title: none, lead: none, text, note: none };
};
type Refusal = [field: ContentField, value: unknown, invalidFields: string[]];
const unsafeUrls = [
	'javascript:alert(1)',
	' JavaScript:alert(1)',
	'java\nscript:alert(1)',
	'\u0001javascript:alert(1)',
];
const otherUrls = ['data:text/html,x', 'vbscript:x', 'file:///etc/passwd', '//evil.example', '/path', 'video.example'];
const chatUrls = ['//evil.example', '/\\evil.example', '/\tx', '/a\\b', 'contact', 'javascript:alert(1)'];

test.each<Refusal>([
	...[...unsafeUrls, ...otherUrls, '', null, [address]].map(
		(url): Refusal => ['links.social', [{ label: 'Here', url }], ['value.0.url']],
	),
	...chatUrls.map((url): Refusal => ['links.chat', url, ['value']]),
	['links.social', Array.from({ length: 9 }, () => ({ label: 'x', url: address })), ['value']],
	['links.social', [{ label: ' ', url: address }], ['value.0.label']],
	['legal.privacy', texts('x'.repeat(20_001)), ['value.en']],
	['hero.tagline', { en: 'x'.repeat(301), hi: '' }, ['value.en']],
	['hero.tagline', { en: 'a\nb', hi: 'a\u202eb' }, ['value.en', 'value.hi']],
	['hero.tagline', 'text', ['value']],
	['legal.terms', { en: 'a\0b', hi: '' }, ['value.en']],
	['colors.accent', 'red', ['value']],
	['colors.accent', '#ff0000;}', ['value']],
	['languages', [], ['value']],
	['languages', ['en', 'en'], ['value']],
	[
		'benefits.items',
		Array.from({ length: 10 }, (_, id) => ({ id: `${id}`, title: texts(''), text: texts('') })),
		['value'],
	],
	...['> '.repeat(51), '>'.repeat(51), '- '.repeat(51), `- a\n${'\t'.repeat(26)}- `].map(
		(start): Refusal => ['excerpts.items', [makeExcerpt('a', texts(`${start}x`))], ['value.0.text.en']],
	),
	['icon', 'AAAAAAAAAAAAAAAAAAAAAA', ['value']],
	['covers', { 'part-1-en': 'AAAAAAAAAAAAAAAAAAAAAA' }, ['value']],
	['videos.benefits', { ...video, film: { blobId: 'A', name: '', sizeBytes: 1, seconds: 1 } }, ['value']],
	...['x'.repeat(121), 'a\nb', 'a\0b'].map(
		(title): Refusal => ['videos.benefits', { ...video, title: texts(title) }, ['value.title.en']],
	),
])('refuses %s with an invalid value (%#)', async (field, value, invalidFields) => {
	const before = await readDraft(admin);
	const answer = await saveField(admin, field, value as never);
	expect(answer.json()).toMatchObject({ status: 422, code: 'INVALID_INPUT' });
	expect(Object.keys(answer.json().fields)).toEqual(invalidFields);
	expect(await readDraft(admin)).toEqual(before);
});

test.each(['https://chat.example/me', 'mailto:me@books.example', '/contact?about=book', ''])(
	'stores the chat link %j',
	async (url) => expect((await saveField(admin, 'links.chat', url)).json().value).toBe(url),
);

test('accepts texts as long as the limits in both languages', async () => {
	const long = { en: 'x'.repeat(20_000), hi: 'क'.repeat(20_000) };
	expect((await saveField(admin, 'legal.privacy', long)).statusCode).toBe(200);
	const text = { en: 'क'.repeat(60_000), hi: 'क'.repeat(60_000) };
	const excerpts = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => makeExcerpt(id, text));
	expect((await saveField(admin, 'excerpts.items', excerpts)).statusCode).toBe(200);
	await admin.call('POST', '/api/storefront/discard', await seenChanges(admin));
});

test('stored values that are unknown or invalid are replaced by the default', async () => {
	const row = { draft: null, has_draft: 0 as const, version: 1, updated_by: adminId, updated_at: '' };
	await deps.db
		.insertInto('storefront_fields')
		.values([
			{ ...row, field: 'no.such.field', published: '1' },
			{ ...row, field: 'colors.ground', published: '"blue"' },
		])
		.execute();
	expect(await readPublished()).toMatchObject({ 'colors.ground': null });
	await deps.db.deleteFrom('storefront_fields').where('field', 'in', ['no.such.field', 'colors.ground']).execute();
});

test('the last 20 versions are kept, and each is restored byte by byte while changes of the draft remain', async () => {
	const markdown =
		'# A chapter\n\n- अध्याय\n- 🙂 \u200f*RTL*\n\n<script>alert(1)</script>\n\n![cover](/x.png) \\ "quoted"';
	const excerpt = {
		id: 'one',
		label: texts('Chapter 1'),
		shortLabel: texts('Ch 1'),
		title: texts('Title', 'शीर्षक'),
		lead: texts(''),
		text: texts(markdown, markdown),
		note: texts(''),
	};
	const rich = await publishFields(admin, { 'excerpts.items': [excerpt], 'links.chat': '/contact', languages: ['hi'] });
	const before = await findRows(deps, 'storefront_fields');
	await publishFields(admin, { 'excerpts.items': [], 'links.chat': '', languages: null, template: 'empty' });
	for (let round = 0; round < 18; round += 1) {
		testApp.clock.advance(60);
		await publishFields(admin, { 'page.title': texts(`Round ${round}`) });
	}
	const versions = await listVersions();
	expect(versions).toHaveLength(20);
	expect(versions.at(-1)?.number).toBe(rich.number);
	expect(versions.map(({ isCurrent }) => isCurrent)).toEqual([true, ...Array<boolean>(19).fill(false)]);
	expect((await restore(rich.number - 1)).statusCode).toBe(404);

	await saveField(other, 'hero.tagline', texts('Not finished'));
	await saveField(other, 'links.chat', '/contact');
	const restored = (await restore(rich.number)).json() as ContentVersion;
	expect(restored).toMatchObject({ number: rich.number + 20, publishedBy: 'admin@example.com', isCurrent: true });
	expect(restored.changes).toEqual(['template', 'languages', 'excerpts.items', 'page.title', 'links.chat']);
	const after = await findRows(deps, 'storefront_fields');
	const published = (rows: typeof before) =>
		rows.flatMap(({ field, published: json }) => (json === null ? [] : [[field, json]])).toSorted();
	expect(published(after)).toEqual(published(before));
	expect((await seenChanges(admin)).fields.map(({ field }) => field)).toEqual(['hero.tagline']);
	// The oldest version is no longer kept.
	expect((await restore(rich.number)).statusCode).toBe(404);
	expect(await listVersions()).toHaveLength(20);
	expect(await countAudit('storefront-restored')).toBe(1);
});

test('the account of an admin who changed the content can be deleted', async () => {
	await deps.db.deleteFrom('users').where('email', '=', 'other@example.com').execute();
	expect(await readField(admin, 'hero.tagline')).toMatchObject({ value: texts('Not finished'), changedBy: null });
});
