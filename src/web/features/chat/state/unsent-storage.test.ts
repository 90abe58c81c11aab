import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession } from '#web/platform/session/session-end.ts';
import { handOverUnsent, listUnsentKeys, storeUnsent, takeStored } from './unsent-storage.ts';

const texts = [{ clientId: 'client-1', text: 'one', writtenAt: '2026-11-22T05:00:00.000Z' }];
const nothing = { draft: '', texts: [], attached: [] };

/** Imitates the storage of a browser, in which stored entries are properties as well. */
const methods = {
	getItem(this: Record<string, unknown>, key: string) {
		return this[key] ?? null;
	},
	setItem(this: Record<string, unknown>, key: string, value: string) {
		this[key] = value;
	},
	removeItem(this: Record<string, unknown>, key: string) {
		delete this[key];
	},
};
const makeStorage = (): Record<string, unknown> => Object.create(methods);

let storage: Record<string, unknown>;
let ofBrowser: Record<string, unknown>;

/** Opens a new tab of the same browser, with an empty session storage. */
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

test('takeStored returns a draft only to its author', () => {
	storeUnsent('me asha user', { draft: 'half', texts, attached: [] });
	expect(takeStored('me asha user')).toEqual({ draft: 'half', texts, attached: [] });
	expect(takeStored('other asha user')).toEqual(nothing);
});

test('takeStored returns the attached files of a draft', () => {
	const attached = [{ fileId: 'f', name: 'qr.png', sizeBytes: 7 }];
	storeUnsent('me asha admin', { draft: '', texts: [], attached });
	expect(takeStored('me asha admin')).toEqual({ ...nothing, attached });
	expect(listUnsentKeys()).toEqual([]);
});

test('listUnsentKeys lists conversations with unsent messages, but not those with only a draft', () => {
	storeUnsent('me asha admin', { draft: '', texts, attached: [] });
	storeUnsent('me dev admin', { draft: 'half', texts: [], attached: [] });
	storage.theme = 'dark';
	expect(listUnsentKeys()).toEqual(['me asha admin']);
});

test('the next tab takes over the unsent messages of a closed tab once, and a tab without a draft its draft', () => {
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

test('a reloaded tab gets back everything that it handed over', () => {
	storeUnsent('me asha user', { draft: 'half', texts, attached: [] });
	handOverUnsent();
	expect(takeStored('me asha user')).toEqual({ draft: 'half', texts, attached: [] });
	expect(Object.keys(ofBrowser)).toEqual([]);
});

test('the storage is cleared when all is sent and on sign-out, but not when the session expires', () => {
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

test.each(['', '{', '[]', '{"texts":"x"}', 'null'])('takeStored returns nothing for the damaged value %j', (kept) => {
	storeUnsent('me asha admin', { draft: 'half', texts: [], attached: [] });
	for (const key of Object.keys(storage)) storage[key] = kept;
	expect(takeStored('me asha admin')).toEqual(nothing);
});

test('a browser without storage causes no error', () => {
	vi.stubGlobal('sessionStorage', undefined);
	vi.stubGlobal('localStorage', undefined);
	storeUnsent('me asha admin', { draft: 'half', texts, attached: [] });
	endSession('logout');
	expect([takeStored('me asha admin'), listUnsentKeys()]).toEqual([nothing, []]);
});
