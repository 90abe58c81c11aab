import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftField } from '#contract/storefront/content.ts';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import { createDraftSaver, debounceMs } from './draft-saver.ts';
import type { UnsavedValue } from './unsaved-fields.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const text = (en: string, hi = '') => ({ en, hi });

/** A server with one field, and a browser that edits it. */
function createFixture(value: unknown = text('Old'), stored: UnsavedValue | null = null) {
	const server = { value, version: 3, isDown: false };
	const row = (): DraftField => ({
		field: 'hero.headline',
		value: server.value,
		version: server.version,
		published: text('Old'),
		default: text('Default'),
		isChanged: true,
		changedBy: null,
		changedAt: null,
	});
	const sent: unknown[] = [];
	const store = new Map<ContentField, UnsavedValue>(stored === null ? [] : [['hero.headline', stored]]);
	const saver = createDraftSaver({
		save: async (_field, value, version) => {
			sent.push(value);
			await new Promise((resolve) => setTimeout(resolve, 100));
			if (server.isDown) throw 'temporary';
			if (version !== server.version) throw 'stale';
			server.value = value ?? text('Default');
			server.version += 1;
			return row();
		},
		refresh: async () => saver.receive([row()]),
		describe: (error) => ({ kind: error as 'temporary' | 'stale', message: 'No connection', errors: {} }),
		validate: (_field, value) => {
			const { en, hi } = value as { en: string; hi: string };
			return {
				value: text(en.trim(), hi.trim()),
				errors: (en.length > 20 ? { en: 'Too long' } : {}) as Record<string, string>,
			};
		},
		unsaved: store,
	});
	const load = () => saver.receive([row()]);
	load();
	return {
		server,
		sent,
		store,
		saver,
		load,
		edit: (value: unknown) => saver.edit('hero.headline', value),
		leave: () => saver.leave('hero.headline'),
		state: () => saver.get('hero.headline'),
		/** Another admin saves. */
		saveRemotely: (value: unknown) => {
			server.value = value;
			server.version += 1;
		},
		wait: (ms = debounceMs + 100) => vi.advanceTimersByTimeAsync(ms),
	};
}

test('a field is saved once, a moment after the last keystroke, and the stored copy is deleted', async () => {
	const { saver, edit, leave, wait, sent, store, state } = createFixture();
	edit(text('N'));
	await wait(debounceMs - 1);
	edit(text('New '));
	expect(store.get('hero.headline')).toEqual({ value: text('New '), base: text('Old'), version: 3 });
	await wait();
	expect(sent).toEqual([text('New')]);
	expect(saver.overview().phase).toBe('saved');
	expect(store.size).toBe(0);
	expect(state()?.value, 'the space that was typed stays while the field is edited').toEqual(text('New '));
	leave();
	expect(state()?.value).toEqual(text('New'));
});

test('what is typed during a save is saved by the next request', async () => {
	const { edit, wait, sent, server, saver } = createFixture();
	edit(text('One'));
	await wait(debounceMs + 50);
	edit(text('Two'));
	await wait(50);
	expect(saver.overview().phase).toBe('waiting');
	await wait();
	expect(sent).toEqual([text('One'), text('Two')]);
	expect(server.value).toEqual(text('Two'));
});

test('the default is sent as null, and the value that is saved already is not sent', async () => {
	const { edit, wait, sent } = createFixture();
	edit(text('Default'));
	await wait();
	edit(text('Default '));
	await wait();
	expect(sent).toEqual([null]);
});

test('an invalid value is kept but not sent, and its errors are shown when the admin leaves the field', async () => {
	const { edit, leave, wait, sent, store, state } = createFixture();
	edit(text('x'.repeat(21)));
	await wait();
	expect(state()).toMatchObject({ phase: 'invalid', errors: {} });
	leave();
	expect(state()).toMatchObject({ phase: 'invalid', errors: { en: 'Too long' } });
	expect(sent).toEqual([]);
	expect(store.size).toBe(1);
});

test('without a connection, typed values are kept, and are saved without any action when it is back', async () => {
	const { edit, wait, server, saver, store, state } = createFixture();
	server.isDown = true;
	edit(text('Offline'));
	await wait();
	expect(state()).toMatchObject({ phase: 'failed', message: 'No connection' });
	expect(store.size).toBe(1);
	expect(await saver.flush()).toBe(false);
	server.isDown = false;
	await wait(2100);
	expect(server.value).toEqual(text('Offline'));
	expect(saver.overview().phase).toBe('saved');
});

test('a value that was unsaved before a reload is merged with the present draft and saved', async () => {
	const stored = { value: text('Typed'), base: text('Before'), version: 2 };
	const { wait, server, state } = createFixture(text('Before', 'पहले'), stored);
	await wait();
	expect(server.value).toEqual(text('Typed', 'पहले'));
	expect(state()?.phase).toBe('saved');
});

test("another admin's change appears in a field without unsaved input", () => {
	const { load, saveRemotely, state } = createFixture();
	saveRemotely(text('Remote'));
	load();
	expect(state()?.value).toEqual(text('Remote'));
});

test.each(['by an event', 'by the refused save'])(
	"another admin's change of the other language, found %s, is merged and both are saved",
	async (how) => {
		const { load, edit, saveRemotely, wait, server, sent } = createFixture();
		edit(text('Mine'));
		saveRemotely(text('Old', 'उनका'));
		if (how === 'by an event') load();
		await wait(2000);
		expect(server.value).toEqual(text('Mine', 'उनका'));
		expect(sent).toHaveLength(how === 'by an event' ? 1 : 2);
	},
);

test.each([
	['own', text('Mine')],
	['remote', text('Theirs')],
] as const)('a collision saves nothing until the admin has chosen: %s', async (preferred, expected) => {
	const { saver, edit, leave, saveRemotely, wait, server, state, store } = createFixture();
	edit(text('Mine'));
	saveRemotely(text('Theirs'));
	await wait(5000);
	expect(state()).toMatchObject({ phase: 'collision', value: text('Mine'), saved: { value: text('Theirs') } });
	leave();
	expect(await saver.flush()).toBe(false);
	expect(server.value).toEqual(text('Theirs'));
	saver.resolve('hero.headline', preferred);
	await wait();
	expect(server.value).toEqual(expected);
	expect(state()?.value).toEqual(expected);
	expect(store.size).toBe(0);
});

test('flush sends at once what is waiting', async () => {
	const { saver, edit, server } = createFixture();
	edit(text('Now'));
	const flushed = saver.flush();
	await vi.advanceTimersByTimeAsync(100);
	expect(await flushed).toBe(true);
	expect(server.value).toEqual(text('Now'));
});

test('forget deletes what is unsaved and shows the value of the server', async () => {
	const { saver, edit, wait, sent, store, state } = createFixture();
	edit(text('x'.repeat(21)));
	await saver.forget();
	await wait();
	expect(state()).toMatchObject({ phase: 'saved', value: text('Old') });
	expect([sent, store.size]).toEqual([[], 0]);
});

test.each([
	['stores the value', false, { value: text('Typed'), version: 4 }],
	['is refused, because another admin was faster', true, { value: text('Theirs'), version: 4 }],
])('forget waits for a running request, which %s', async (_what, isLate, expected) => {
	const { saver, load, edit, saveRemotely, wait, state } = createFixture();
	edit(text('Typed'));
	await wait(debounceMs + 50);
	if (isLate) saveRemotely(text('Theirs'));
	const forgotten = saver.forget();
	await wait();
	const fields = await forgotten;
	if (!isLate) expect(fields).toMatchObject([expected]);
	load();
	expect(state()).toMatchObject({ phase: 'saved', value: expected.value, saved: expected });
	expect(await saver.flush()).toBe(true);
});
