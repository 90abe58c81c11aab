import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isFinalRejection } from '#web/platform/api/failure.ts';
import {
	annotationIds,
	removeBookmark,
	saveBookmark,
} from '../../../../../test/support/fixtures/annotation-changes.ts';
import { AnnotationQueue } from './annotation-queue.ts';
import type { AnnotationChange } from './annotations.ts';
import { listAllUnsent, storeUnsent, type UnsentStore } from './unsent-annotations.ts';

const ofProxy = (status: number) => new ORPCError('BAD_GATEWAY', { status, data: { body: 'Bad Gateway' } });
const ofServer = (code: string, status: number) => new ORPCError(code, { status, data: { fields: {} } });

let kept: Map<string, string>;
let store: UnsentStore;
/** The changes that the server received, each with the user who sent it. */
let sent: Array<[person: string, change: AnnotationChange]>;
let refused: AnnotationChange[];
let here: string;
let failure: Error | null;
/** Requests wait until this promise resolves. */
let line: Promise<void>;

beforeEach(() => {
	vi.useFakeTimers();
	kept = new Map();
	store = {
		get length() {
			return kept.size;
		},
		key: (index) => [...kept.keys()][index] ?? null,
		getItem: (key) => kept.get(key) ?? null,
		setItem: (key, value) => void kept.set(key, value),
		removeItem: (key) => void kept.delete(key),
	};
	[sent, refused, here, failure, line] = [[], [], 'asha', null, Promise.resolve()];
});
afterEach(() => vi.useRealTimers());

function open(person: string): AnnotationQueue {
	const queue = new AnnotationQueue({
		store,
		findUserId: async () => here,
		send: async (change) => {
			await line;
			if (failure !== null) throw failure;
			sent.push([here, change]);
			return null;
		},
		runExclusively: (work) => work(),
		isRejection: isFinalRejection,
		onSaved: () => undefined,
		onRejected: (change) => void refused.push(change),
		onDelayed: () => undefined,
	});
	queue.start(person);
	return queue;
}
const waiting = (queue: AnnotationQueue) => queue.list().map(({ change }) => change);

test.each([
	['no line', new TypeError('Failed to fetch')],
	['a stalled line', new DOMException('', 'TimeoutError')],
	['a proxy whose server restarts', ofProxy(502)],
	['a proxy that gives up', ofProxy(504)],
	["somebody else's refusal", ofProxy(403)],
	['a busy server', ofServer('BUSY', 503)],
	['too many tries', ofServer('TOO_MANY_REQUESTS', 429)],
	['a session that is over', ofServer('UNAUTHORIZED', 401)],
])('after %s, an annotation stays listed and stored and is sent again', async (_name, error) => {
	failure = error;
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[0]));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(waiting(queue)).toEqual([saveBookmark(annotationIds[0])]);
	expect(listAllUnsent(store, 'asha')).toEqual([saveBookmark(annotationIds[0])]);
	failure = null;
	await vi.advanceTimersByTimeAsync(15_000);
	expect(sent).toEqual([['asha', saveBookmark(annotationIds[0])]]);
	expect([waiting(queue), kept.size, refused]).toEqual([[], 0, []]);
});

test('a change that the server rejects is reported and dropped, and the next one is sent', async () => {
	failure = ofServer('TOO_MANY_MARKS', 409);
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[0]));
	await vi.advanceTimersByTimeAsync(0);
	failure = null;
	queue.add(saveBookmark(annotationIds[1]));
	await vi.advanceTimersByTimeAsync(0);
	expect([refused, sent, kept.size]).toEqual([
		[saveBookmark(annotationIds[0])],
		[['asha', saveBookmark(annotationIds[1])]],
		0,
	]);
});

test('a queued annotation is sent only in a session of its author', async () => {
	failure = new TypeError('Failed to fetch');
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[0]));
	await vi.advanceTimersByTimeAsync(5000);
	failure = null;
	here = 'ravi';
	await vi.advanceTimersByTimeAsync(60_000);
	expect([sent, waiting(queue)]).toEqual([[], [saveBookmark(annotationIds[0])]]);
	queue.start('ravi');
	await vi.advanceTimersByTimeAsync(60_000);
	expect([sent, waiting(queue)]).toEqual([[], []]);
	queue.clear();
	here = 'asha';
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toEqual([]);
	queue.start('asha');
	await queue.flush();
	expect(sent).toEqual([['asha', saveBookmark(annotationIds[0])]]);
});

test('a change that follows one in flight is not sent after the session has ended', async () => {
	const held = Promise.withResolvers<void>();
	line = held.promise;
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[0]));
	queue.add(saveBookmark(annotationIds[1]));
	await vi.advanceTimersByTimeAsync(0);
	queue.clear();
	queue.start('ravi');
	held.resolve();
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent.map(([, change]) => change)).toEqual([saveBookmark(annotationIds[0])]);
	expect(waiting(queue)).toEqual([]);
});

test('the last change of an annotation is sent last, also when an earlier one is in flight', async () => {
	failure = new TypeError('Failed to fetch');
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[0]));
	await vi.advanceTimersByTimeAsync(0);
	queue.add(saveBookmark(annotationIds[0], 'Ask Kavita'));
	queue.add(saveBookmark(annotationIds[1]));
	await vi.advanceTimersByTimeAsync(0);
	failure = null;
	const held = Promise.withResolvers<void>();
	line = held.promise;
	const all = queue.flush();
	await vi.advanceTimersByTimeAsync(0);
	queue.add(removeBookmark(annotationIds[0]));
	queue.add(removeBookmark(annotationIds[1]));
	held.resolve();
	await all;
	expect(
		sent
			.map(([, change]) => change)
			.slice(-2)
			.toSorted(byMark),
	).toEqual([removeBookmark(annotationIds[0]), removeBookmark(annotationIds[1])]);
	expect([waiting(queue), kept.size]).toEqual([[], 0]);
});

function byMark(one: AnnotationChange, other: AnnotationChange): number {
	return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

test('a change that another tab has removed from the store is not sent again', async () => {
	failure = new TypeError('Failed to fetch');
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[0]));
	await vi.advanceTimersByTimeAsync(0);
	kept.clear();
	failure = null;
	await queue.flush();
	expect([sent, waiting(queue)]).toEqual([[], []]);
});

test('changes stored before a reload are sent, and a new change is sent even when it cannot be stored', async () => {
	storeUnsent(store, 'asha', saveBookmark(annotationIds[0]));
	storeUnsent(store, 'ravi', saveBookmark(annotationIds[1]));
	await open('asha').flush();
	expect(sent).toEqual([['asha', saveBookmark(annotationIds[0])]]);
	store.setItem = () => {
		throw new DOMException('', 'QuotaExceededError');
	};
	const queue = open('asha');
	queue.add(saveBookmark(annotationIds[1]));
	await queue.flush();
	expect(sent.at(-1)).toEqual(['asha', saveBookmark(annotationIds[1])]);
});
