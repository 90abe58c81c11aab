import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isFinalRejection, readFailedCall } from '#web/platform/api/failure.ts';
import { stubForbiddenStorage, stubStorage } from '../../../../../test/support/fixtures/browser-storage.ts';
import { AnnotationQueue } from './annotation-queue.ts';
import type { AnnotationChange } from './annotations.ts';
import { deleteUnsent, listAllUnsent, listUnsent, storeUnsent } from './unsent-annotations.ts';

const proxyError = (status: number) => readFailedCall(status, 'Bad Gateway');
const serverError = (code: string, status: number) => readFailedCall(status, { code, status, message: code });

const [first, second] = ['0b5c3c6e-6c1a-4b5e-9d5e-1a2b3c4d5e6f', '1b5c3c6e-6c1a-4b5e-9d5e-1a2b3c4d5e6f'];
const document = 'part-1-en';
const saveBookmark = (id = first, note = ''): AnnotationChange => ({
	document,
	save: { id, kind: 'bookmark', page: 3, boxes: [], quote: '', note, color: 'yellow', chapter: null },
});
const removeBookmark = (id: string): AnnotationChange => ({ document, remove: id });

let storedItems: Record<string, string>;
/** The changes that the server received. */
let sent: Array<[userId: string, change: AnnotationChange]>;
let rejected: AnnotationChange[];
let sessionUser: string;
let failure: Error | null;
/** Requests wait until this promise is resolved. */
let connection: Promise<void>;

beforeEach(() => {
	vi.useFakeTimers();
	storedItems = stubStorage();
	[sent, rejected, sessionUser, failure, connection] = [[], [], 'asha', null, Promise.resolve()];
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

function open(userId: string): AnnotationQueue {
	const queue = new AnnotationQueue({
		findUserId: async () => sessionUser,
		send: async (change) => {
			await connection;
			if (failure !== null) throw failure;
			sent.push([sessionUser, change]);
			return null;
		},
		runExclusively: (work) => work(),
		isRejection: isFinalRejection,
		onSaved: () => undefined,
		onRejected: (change) => void rejected.push(change),
		onDelayed: () => undefined,
	});
	queue.start(userId);
	return queue;
}
const settle = () => vi.advanceTimersByTimeAsync(0);
/** Returns a queue with a bookmark that could not be sent, after the connection is back. */
async function openWithUnsent(): Promise<AnnotationQueue> {
	failure = new TypeError('Failed to fetch');
	const queue = open('asha');
	queue.add(saveBookmark());
	await settle();
	failure = null;
	return queue;
}
const waiting = (queue: AnnotationQueue) => queue.list().map(({ change }) => change);

test.each([
	['a lost connection', new TypeError('Failed to fetch')],
	['a timeout', new DOMException('', 'TimeoutError')],
	['a 502 of a proxy', proxyError(502)],
	['a 504 of a proxy', proxyError(504)],
	['a 403 of a proxy', proxyError(403)],
	['a busy server', serverError('BUSY', 503)],
	['too many requests', serverError('TOO_MANY_REQUESTS', 429)],
	['an expired session', serverError('UNAUTHORIZED', 401)],
])('after %s, an annotation stays visible and stored, and is sent again', async (_name, error) => {
	failure = error;
	const queue = open('asha');
	queue.add(saveBookmark());
	await vi.advanceTimersByTimeAsync(60_000);
	expect(waiting(queue)).toEqual([saveBookmark()]);
	expect(listAllUnsent('asha')).toEqual([saveBookmark()]);
	failure = null;
	await vi.advanceTimersByTimeAsync(15_000);
	expect(sent).toEqual([['asha', saveBookmark()]]);
	expect([waiting(queue), Object.keys(storedItems), rejected]).toEqual([[], [], []]);
});

test('a change that the server rejects is reported and dropped, and the next change is sent', async () => {
	failure = serverError('TOO_MANY_MARKS', 409);
	const queue = open('asha');
	queue.add(saveBookmark());
	await settle();
	failure = null;
	queue.add(saveBookmark(second));
	await settle();
	expect([rejected, sent, Object.keys(storedItems)]).toEqual([[saveBookmark()], [['asha', saveBookmark(second)]], []]);
});

test('a queued annotation is sent only while its author is signed in', async () => {
	const queue = await openWithUnsent();
	sessionUser = 'ravi';
	await vi.advanceTimersByTimeAsync(60_000);
	expect([sent, waiting(queue)]).toEqual([[], [saveBookmark()]]);
	queue.start('ravi');
	await vi.advanceTimersByTimeAsync(60_000);
	expect([sent, waiting(queue)]).toEqual([[], []]);
	queue.clear();
	sessionUser = 'asha';
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toEqual([]);
	queue.start('asha');
	await queue.flush();
	expect(sent).toEqual([['asha', saveBookmark()]]);
});

test('a change that waits for an earlier change is not sent after the session has ended', async () => {
	const blockedConnection = Promise.withResolvers<void>();
	connection = blockedConnection.promise;
	const queue = open('asha');
	queue.add(saveBookmark());
	queue.add(saveBookmark(second));
	await settle();
	queue.clear();
	queue.start('ravi');
	blockedConnection.resolve();
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent.map(([, change]) => change)).toEqual([saveBookmark()]);
	expect(waiting(queue)).toEqual([]);
});

test('the last change of an annotation is sent last, even if an earlier change is in flight', async () => {
	const queue = await openWithUnsent();
	const blockedConnection = Promise.withResolvers<void>();
	connection = blockedConnection.promise;
	queue.add(saveBookmark(first, 'Ask Kavita'));
	queue.add(saveBookmark(second));
	const all = queue.flush();
	await settle();
	queue.add(removeBookmark(first));
	queue.add(removeBookmark(second));
	blockedConnection.resolve();
	await all;
	const lastSent = sent.slice(-2).map(([, change]) => change);
	expect(new Set(lastSent)).toEqual(new Set([removeBookmark(first), removeBookmark(second)]));
	expect([waiting(queue), Object.keys(storedItems)]).toEqual([[], []]);
});

test('a change that another tab has removed from the store is not sent again', async () => {
	const queue = await openWithUnsent();
	stubStorage();
	await queue.flush();
	expect([sent, waiting(queue)]).toEqual([[], []]);
});

test('changes stored before a reload are sent, and a change that cannot be stored is sent too', async () => {
	storeUnsent('asha', saveBookmark());
	storeUnsent('ravi', saveBookmark(second));
	await open('asha').flush();
	expect(sent).toEqual([['asha', saveBookmark()]]);
	stubForbiddenStorage();
	const queue = open('asha');
	queue.add(saveBookmark(second));
	await queue.flush();
	expect(sent.at(-1)).toEqual(['asha', saveBookmark(second)]);
});

test('listUnsent returns the last change of each annotation of a user in a document, oldest first', () => {
	for (const change of [saveBookmark(), saveBookmark(second), saveBookmark(first, 'Ask Kavita')])
		storeUnsent('asha', change);
	expect(listUnsent('asha', document)).toEqual([saveBookmark(second), saveBookmark(first, 'Ask Kavita')]);
	storeUnsent('asha', removeBookmark(second));
	expect(listUnsent('asha', document)).toEqual([saveBookmark(first, 'Ask Kavita'), removeBookmark(second)]);
	expect([listUnsent('ravi', document), listUnsent('asha', 'part-2-en')]).toEqual([[], []]);
});

test('deleteUnsent removes a sent change unless the annotation was changed again meanwhile', () => {
	storeUnsent('asha', saveBookmark(first, 'Ask Kavita'));
	deleteUnsent('asha', saveBookmark());
	expect(listUnsent('asha', document)).toEqual([saveBookmark(first, 'Ask Kavita')]);
	deleteUnsent('asha', saveBookmark(first, 'Ask Kavita'));
	expect(Object.keys(storedItems)).toEqual([]);
});

test('listUnsent ignores invalid data, and forbidden storage causes no error', () => {
	storedItems[`reading-unsent:asha:${document}`] = '[{"document":"part-1-en","save":{"id":"x"}}]';
	expect(listUnsent('asha', document)).toEqual([]);
	stubForbiddenStorage();
	storeUnsent('asha', saveBookmark());
	expect(listUnsent('asha', document)).toEqual([]);
});
