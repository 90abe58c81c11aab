import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession } from '#web/platform/session/session-end.ts';
import { stubStorage } from '../../../../../test/support/fixtures/browser-storage.ts';
import { handOverUnsent, listUnsentKeys, storeUnsent, takeStored } from './unsent-storage.ts';

const texts = [{ clientId: 'client-1', text: 'one', writtenAt: '2026-11-22T05:00:00.000Z' }];
const emptyUnsent = { draft: '', texts: [], attached: [] };

let tabStorage: Record<string, string>;
let browserStorage: Record<string, string>;

/** Opens a new tab of the same browser, with an empty session storage. */
function openTab(): void {
	tabStorage = stubStorage('sessionStorage');
}

beforeEach(() => {
	openTab();
	browserStorage = stubStorage();
});
afterEach(() => {
	vi.unstubAllGlobals();
});

test('takeStored returns unsent messages, the draft and its attached files only to their author', () => {
	const unsent = { draft: 'half', texts, attached: [{ fileId: 'f', name: 'qr.png' }] };
	storeUnsent('me asha user', unsent);
	expect(takeStored('me asha user')).toEqual(unsent);
	expect(takeStored('other asha user')).toEqual(emptyUnsent);
});

test('listUnsentKeys omits conversations that have only a draft and attached files', () => {
	storeUnsent('me asha admin', { draft: '', texts, attached: [] });
	storeUnsent('me dev admin', { draft: 'half', texts: [], attached: [{ fileId: 'f', name: 'qr.png' }] });
	tabStorage.theme = 'dark';
	expect(listUnsentKeys()).toEqual(['me asha admin']);
});

test('the messages of a closed tab move to the next tab, and its draft moves to the next tab without a draft', () => {
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
	expect([takeStored('me asha user'), listUnsentKeys()]).toEqual([emptyUnsent, []]);
});

test('takeStored returns everything that the same tab stored before a reload', () => {
	storeUnsent('me asha user', { draft: 'half', texts, attached: [] });
	handOverUnsent();
	expect(takeStored('me asha user')).toEqual({ draft: 'half', texts, attached: [] });
	expect(Object.keys(browserStorage)).toEqual([]);
});

test('the stored data is deleted when all messages are sent and on sign-out, but not when the session expires', () => {
	storeUnsent('me asha admin', { draft: '', texts, attached: [] });
	storeUnsent('me asha admin', emptyUnsent);
	expect(Object.keys(tabStorage)).toEqual([]);
	storeUnsent('me dev admin', { draft: 'half', texts, attached: [] });
	handOverUnsent();
	tabStorage.theme = 'dark';
	endSession('expiry');
	expect(listUnsentKeys()).toEqual(['me dev admin']);
	endSession('logout');
	expect([Object.keys(tabStorage), Object.keys(browserStorage)]).toEqual([['theme'], []]);
});

test.each(['', '{', '[]', '{"texts":"x"}', 'null'])(
	'takeStored returns nothing for the damaged value %j',
	(storedText) => {
		storeUnsent('me asha admin', { draft: 'half', texts: [], attached: [] });
		for (const key of Object.keys(tabStorage)) tabStorage[key] = storedText;
		expect(takeStored('me asha admin')).toEqual(emptyUnsent);
	},
);

test('missing browser storage causes no error', () => {
	vi.stubGlobal('sessionStorage', undefined);
	vi.stubGlobal('localStorage', undefined);
	storeUnsent('me asha admin', { draft: 'half', texts, attached: [] });
	endSession('logout');
	expect([takeStored('me asha admin'), listUnsentKeys()]).toEqual([emptyUnsent, []]);
});
