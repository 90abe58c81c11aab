import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession } from '#web/platform/session/session-end.ts';
import { handOverUnsent, listUnsentKeys, storeUnsent, takeStored } from './unsent-storage.ts';

const texts = [{ clientId: 'client-1', text: 'one', writtenAt: '2026-11-22T05:00:00.000Z' }];
const nothing = { draft: '', texts: [], attached: [] };

/** As a browser has it: what is kept is a property too. */
function makeStorage(): Record<string, unknown> {
	const own = { enumerable: false };
	const storage: Record<string, unknown> = {};
	return Object.defineProperties(storage, {
		getItem: { ...own, value: (key: string) => storage[key] ?? null },
		setItem: {
			...own,
			value: (key: string, value: string) => {
				storage[key] = value;
			},
		},
		removeItem: {
			...own,
			value: (key: string) => {
				delete storage[key];
			},
		},
	});
}

let storage: Record<string, unknown>;
let ofBrowser: Record<string, unknown>;

/** A tab that has kept nothing yet, of the same browser. */
function openTab(): void {
	storage = makeStorage();
	vi.stubGlobal('sessionStorage', storage);
}

beforeEach(() => {
	openTab();
	ofBrowser = makeStorage();
	vi.stubGlobal('localStorage', ofBrowser);
});
afterEach(() => {
	vi.unstubAllGlobals();
});

test('drafts come back for their author only', () => {
	storeUnsent('me asha user', { draft: 'half', texts, attached: [] });
	expect(takeStored('me asha user')).toEqual({ draft: 'half', texts, attached: [] });
	expect(takeStored('other asha user')).toEqual(nothing);
});

test('what goes along with the draft comes back with it', () => {
	const attached = [{ fileId: 'f', name: 'qr.png', sizeBytes: 7 }];
	storeUnsent('me asha admin', { draft: '', texts: [], attached });
	expect(takeStored('me asha admin')).toEqual({ ...nothing, attached });
	expect(listUnsentKeys()).toEqual([]);
});

test('what waits to be sent is found again, a draft alone is not', () => {
	storeUnsent('me asha admin', { draft: '', texts, attached: [] });
	storeUnsent('me dev admin', { draft: 'half', texts: [], attached: [] });
	storage.theme = 'dark';
	expect(listUnsentKeys()).toEqual(['me asha admin']);
});

test('what a closed tab has not sent goes to the next one, once and before its own; its draft where nothing is typed', () => {
	storeUnsent('me asha user', { draft: 'half', texts, attached: [] });
	handOverUnsent();
	openTab();
	const own = { clientId: 'client-2', text: 'two', writtenAt: '2026-11-22T05:01:00.000Z' };
	storeUnsent('me asha user', { draft: 'other', texts: [own], attached: [] });
	expect(listUnsentKeys()).toEqual(['me asha user']);
	expect(takeStored('me asha user')).toEqual({ draft: 'other', texts: [...texts, own], attached: [] });
	expect(takeStored('me asha user')).toEqual({ draft: 'other', texts: [...texts, own], attached: [] });
	openTab();
	expect(takeStored('me asha user')).toEqual({ draft: 'half', texts: [], attached: [] });
	openTab();
	expect([takeStored('me asha user'), listUnsentKeys()]).toEqual([nothing, []]);
});

test('a tab that begins anew has all that it had', () => {
	storeUnsent('me asha user', { draft: 'half', texts, attached: [] });
	handOverUnsent();
	expect(takeStored('me asha user')).toEqual({ draft: 'half', texts, attached: [] });
	expect(Object.keys(ofBrowser)).toEqual([]);
});

test('nothing is left when all is sent, or when the session ends', () => {
	storeUnsent('me asha admin', { draft: '', texts, attached: [] });
	storeUnsent('me asha admin', nothing);
	expect(Object.keys(storage)).toEqual([]);
	storeUnsent('me dev admin', { draft: 'half', texts, attached: [] });
	handOverUnsent();
	storage.theme = 'dark';
	endSession('expiry');
	expect(listUnsentKeys()).toEqual(['me dev admin']);
	endSession('logout');
	expect([Object.keys(storage), Object.keys(ofBrowser)]).toEqual([['theme'], []]);
});

test.each(['', '{', '[]', '{"texts":"x"}', 'null'])('a damaged %j is nothing', (kept) => {
	storeUnsent('me asha admin', { draft: 'half', texts: [], attached: [] });
	for (const key of Object.keys(storage)) storage[key] = kept;
	expect(takeStored('me asha admin')).toEqual(nothing);
});

test('a browser that forbids keeping costs nothing else', () => {
	vi.stubGlobal('sessionStorage', undefined);
	vi.stubGlobal('localStorage', undefined);
	storeUnsent('me asha admin', { draft: 'half', texts, attached: [] });
	endSession('logout');
	expect([takeStored('me asha admin'), listUnsentKeys()]).toEqual([nothing, []]);
});
