import { describe, expect, test } from 'vitest';
import { createRetryDeadline, isUploadStillStored, isWorthRetrying, retryDelaysMs } from './transfer-policy.ts';
import type { BatchMember, SendBatch } from './upload-batch.ts';
import { nextSpeed, secondsLeft, startSpeed } from './upload-speed.ts';
import { createUploadStore, type UploadStore } from './upload-store.ts';
import { percentOf, sortForPanel, summarise, type UploadTask } from './upload-task.ts';
import type { Transport, TransportEvents, UploadSource } from './upload-transport.ts';

const MB = 1024 * 1024;

describe('retries', () => {
	test('the delays between retries grow to 30 seconds and add up to more than a week', () => {
		expect(retryDelaysMs.slice(0, 6)).toEqual([0, 500, 1000, 2000, 3000, 5000]);
		expect(retryDelaysMs.at(-1)).toBe(30_000);
		expect(retryDelaysMs.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(7 * 24 * 3600 * 1000);
	});

	test('retries end when the retry time since the first failure has passed; a success restarts this time', () => {
		let time = 0;
		const deadline = createRetryDeadline(
			() => 1000,
			() => time,
		);
		expect(deadline.hasTimeLeft()).toBe(true);
		time = 999;
		expect(deadline.hasTimeLeft()).toBe(true);
		time = 1000;
		expect(deadline.hasTimeLeft()).toBe(false);
		deadline.reset();
		expect(deadline.hasTimeLeft()).toBe(true);
	});

	test.each([
		['PATCH', 0, '', true],
		['POST', 0, '', true],
		['PATCH', 500, '', true],
		['HEAD', 503, 'BUSY', true],
		['PATCH', 502, '', true],
		['PATCH', 423, '', true],
		['POST', 429, 'TOO_MANY_REQUESTS', true],
		['PATCH', 409, '', true],
		['PATCH', 409, 'FILE_EXISTS', false],
		['POST', 409, 'FILE_EXISTS', false],
		['POST', 409, '', false],
		['POST', 409, 'UPLOAD_OFFSET', true],
		['POST', 401, 'UNAUTHORIZED', false],
		['PATCH', 403, 'ACCOUNT_INACTIVE', false],
		['POST', 404, 'FOLDER_GONE', false],
		['POST', 413, 'UPLOAD_TOO_LARGE', false],
		['PATCH', 507, 'STORAGE_FULL', false],
	])('a %s request with status %i and error code "%s" is retried: %s', (method, status, code, expected) => {
		expect(isWorthRetrying({ method, status, code })).toBe(expected);
	});

	test('isUploadStillStored is true for all error statuses except 404 and 410', () => {
		expect([404, 410].map(isUploadStillStored)).toEqual([false, false]);
		expect([401, 403, 423, 429, 500, 503].every(isUploadStillStored)).toBe(true);
		expect(isUploadStillStored(200)).toBe(false);
	});
});

describe('the upload speed', () => {
	test('is a moving average, from which secondsLeft computes the remaining time', () => {
		const first = nextSpeed(nextSpeed(startSpeed(0), 0, 0), 4 * MB, 1000);
		expect(first.bytesPerSecond).toBe(4 * MB);
		expect(nextSpeed(first, 4 * MB + 10, 1100)).toBe(first);
		const second = nextSpeed(first, 6 * MB, 2000);
		expect(second.bytesPerSecond).toBeGreaterThan(2 * MB);
		expect(second.bytesPerSecond).toBeLessThan(4 * MB);
		expect(secondsLeft(10 * MB, 4 * MB)).toBe(3);
		expect(secondsLeft(10 * MB, 0)).toBeNull();
	});

	test('does not count bytes that were sent before a resume', () => {
		expect(nextSpeed(nextSpeed(startSpeed(0), 40 * MB, 500), 41 * MB, 1500).bytesPerSecond).toBe(1 * MB);
	});

	test('does not change when a chunk is sent again', () => {
		const speed = nextSpeed(nextSpeed(startSpeed(0), 0, 0), 4 * MB, 1000);
		expect(nextSpeed(speed, 1 * MB, 2000)).toEqual({ ...speed, lastBytes: 1 * MB, lastAt: 2000 });
	});
});

test('percentOf returns a whole number, and 100 only when the upload has succeeded', () => {
	expect(percentOf({ sentBytes: 619, sizeBytes: 1000, state: 'running' })).toBe(61);
	expect(percentOf({ sentBytes: 1000, sizeBytes: 1000, state: 'running' })).toBe(99);
	expect(percentOf({ sentBytes: 0, sizeBytes: 0, state: 'running' })).toBe(0);
	expect(percentOf({ sentBytes: 0, sizeBytes: 0, state: 'success' })).toBe(100);
});

describe('the upload store', () => {
	function setUp(overrides: Partial<Parameters<typeof createUploadStore>[0]> = {}) {
		const events = new Map<string, TransportEvents>();
		const sources = new Map<string, UploadSource>();
		const calls: string[] = [];
		const store = createUploadStore({
			createTransport: (source, transportEvents): Transport => {
				const { file } = source;
				events.set(file.name, transportEvents);
				sources.set(file.name, source);
				const call = (method: string) => async () => void calls.push(`${method} ${file.name}`);
				return { start: call('start'), pause: call('pause'), cancel: call('cancel'), releaseLock: () => {} };
			},
			describeFailure: (name, failure) => `${name}: ${failure.code || failure.status}`,
			now: () => 0,
			concurrency: 2,
			sendBatch: async () => {},
			batchedMaxBytes: 0,
			schedule: (notify) => notify(),
			onSignedOut: () => calls.push('sign in'),
			...overrides,
		});
		const eventsOf = (name: string): TransportEvents => {
			const transportEvents = events.get(name);
			if (!transportEvents) throw new Error(`No transport was created for ${name}.`);
			return transportEvents;
		};
		const sourceOf = (name: string): UploadSource => {
			const source = sources.get(name);
			if (!source) throw new Error(`No transport was created for ${name}.`);
			return source;
		};
		return { store, calls, eventsOf, sourceOf };
	}

	const add = (store: UploadStore, ...names: string[]) =>
		store.add(
			names.map((name) => ({
				file: new File([name.startsWith('large') ? '123456789' : '12345678'], name),
				findDestination: async () => ({ path: '' }),
			})),
			{ owner: 'guest', path: '' },
		);
	const getTask = (store: UploadStore, name: string): UploadTask => {
		const task = store.getTasks().find((candidate) => candidate.name === name);
		if (!task) throw new Error(`There is no task for ${name}.`);
		return task;
	};

	test('runs two uploads at the same time and starts the next when one of them has ended', () => {
		const { store, calls, eventsOf } = setUp();
		add(store, 'a', 'b', 'c');
		expect(calls).toEqual(['start a', 'start b']);
		expect(getTask(store, 'c').waitingFor).toBe('turn');
		eventsOf('a').onSuccess();
		expect(calls).toEqual(['start a', 'start b', 'start c']);
		expect(getTask(store, 'a')).toMatchObject({ state: 'success', sentBytes: 8 });
	});

	test('pauses, resumes, retries and cancels one upload', () => {
		const { store, calls, eventsOf } = setUp();
		add(store, 'a');
		const { id } = getTask(store, 'a');
		eventsOf('a').onProgress(3);
		store.pause(id);
		eventsOf('a').onProgress(5);
		expect(getTask(store, 'a')).toMatchObject({ state: 'paused', sentBytes: 3 });
		store.resume(id);
		eventsOf('a').onWaiting();
		expect(getTask(store, 'a')).toMatchObject({ state: 'running', waitingFor: 'line' });
		eventsOf('a').onProgress(6);
		expect(getTask(store, 'a').waitingFor).toBeNull();
		eventsOf('a').onFailure({ method: 'PATCH', status: 507, code: 'STORAGE_FULL' }, 'full');
		store.retry(id);
		expect(getTask(store, 'a')).toMatchObject({ state: 'running', error: null, sentBytes: 6 });
		store.cancel(id);
		expect(getTask(store, 'a').state).toBe('canceled');
		expect(calls).toEqual(['start a', 'pause a', 'start a', 'start a', 'cancel a']);
		store.clearFinished();
		expect(store.getTasks()).toEqual([]);
	});

	test('stops uploads when the session expires and continues them after the sign-in', () => {
		const { store, calls, eventsOf } = setUp();
		add(store, 'a', 'b', 'c');
		eventsOf('a').onProgress(4);
		eventsOf('a').onFailure({ method: 'PATCH', status: 401, code: 'UNAUTHORIZED' }, '');
		eventsOf('b').onFailure({ method: 'POST', status: 401, code: 'UNAUTHORIZED' }, '');
		expect(calls).toEqual(['start a', 'start b', 'sign in', 'sign in']);
		expect(getTask(store, 'a')).toMatchObject({ state: 'running', waitingFor: 'sign-in', sentBytes: 4 });
		expect(getTask(store, 'c').waitingFor).toBe('turn');
		store.resumeAfterSignIn();
		expect(calls.slice(4)).toEqual(['start c', 'start a']);
		eventsOf('c').onSuccess();
		expect(calls.slice(6)).toEqual(['start b']);
	});

	test('pauses, resumes, retries and cancels all uploads', () => {
		const { store, calls, eventsOf } = setUp();
		add(store, 'a', 'b', 'c');
		store.pause();
		expect(store.getTasks().map(({ state }) => state)).toEqual(['paused', 'paused', 'paused']);
		store.resume();
		expect(calls).toEqual(['start a', 'start b', 'pause a', 'pause b', 'start a', 'start b']);
		eventsOf('a').onFailure({ method: 'PATCH', status: 507, code: 'STORAGE_FULL' }, '');
		eventsOf('b').onFailure({ method: 'POST', status: 409, code: 'FILE_EXISTS' }, '');
		store.retry();
		expect(store.getTasks().map(({ state }) => state)).toEqual(['running', 'error', 'running']);
		store.cancel();
		expect(store.getTasks().map(({ state }) => state)).toEqual(['canceled', 'error', 'canceled']);
		expect(summarise(store.getTasks())).toMatchObject({ failed: 0, skipped: 1, canceled: 2 });
	});

	test('notifies a subscriber once for a thousand simultaneous changes', () => {
		const scheduled: Array<() => void> = [];
		let notificationCount = 0;
		const { store } = setUp({
			createTransport: (_source, events): Transport => {
				const doNothing = async () => {};
				return { start: async () => events.onSuccess(), pause: doNothing, cancel: doNothing, releaseLock: () => {} };
			},
			schedule: (notify) => scheduled.push(notify),
		});
		store.subscribe(() => {
			notificationCount += 1;
		});
		add(store, ...Array.from({ length: 1000 }, (_, index) => `file ${index}`));
		expect(summarise(store.getTasks())).toMatchObject({ done: 1000, percent: 100, running: 0 });
		expect(scheduled).toHaveLength(1);
		scheduled[0]?.();
		expect(notificationCount).toBe(1);
	});

	describe('with small files', () => {
		/** Each batch that was sent: its members by name, and the signal that aborts it. */
		function setUpBatches() {
			const batches: Array<{ members: Map<string, BatchMember>; signal: AbortSignal }> = [];
			const sendBatch: SendBatch = async (members, signal) => {
				batches.push({ members: new Map(members.map((member) => [member.source.file.name, member])), signal });
			};
			const namesSent = () => batches.map(({ members }) => [...members.keys()].join(' '));
			const memberOf = (index: number, name: string): BatchMember => {
				const member = batches[index]?.members.get(name);
				if (!member) throw new Error(`${name} is not in batch ${index}.`);
				return member;
			};
			return { ...setUp({ sendBatch, batchedMaxBytes: 8 }), batches, namesSent, memberOf };
		}

		test('sends neighbours of the queue in batches, each as one of the parallel uploads', () => {
			const { store, calls, namesSent, memberOf } = setUpBatches();
			const names = Array.from({ length: 70 }, (_, index) => `s${index}`);
			add(store, ...names);
			expect(namesSent()).toEqual([names.slice(0, 32).join(' '), names.slice(32, 64).join(' ')]);
			for (const name of names.slice(0, 31)) memberOf(0, name).events.onSuccess();
			expect(namesSent()).toHaveLength(2);
			memberOf(0, 's31').events.onFailure({ method: 'POST', status: 409, code: 'FILE_EXISTS' }, '');
			expect(namesSent()[2]).toBe(names.slice(64).join(' '));
			expect(summarise(store.getTasks())).toMatchObject({ done: 31, skipped: 1, running: 38 });
			store.resolve('rename');
			for (const name of names.slice(64)) memberOf(2, name).events.onSuccess();
			expect(calls).toEqual(['start s31']);
		});

		test('uploads a file alone, before the others, when its batch left it out', async () => {
			const { store, calls, namesSent, memberOf, sourceOf } = setUpBatches();
			add(store, 'large file', 'a', 'b', 'c');
			expect([calls, namesSent()]).toEqual([['start large file'], ['a b c']]);
			memberOf(0, 'a').events.onSuccess();
			memberOf(0, 'b').onLeftOut({ path: 'p', resumeId: 'id of b' });
			expect(getTask(store, 'b')).toMatchObject({ state: 'running', waitingFor: 'turn' });
			memberOf(0, 'c').events.onSuccess();
			expect(calls).toEqual(['start large file', 'start b']);
			expect(await sourceOf('b').findDestination()).toEqual({ path: 'p', resumeId: 'id of b' });
		});

		test('aborts a batch when one of its files is paused, and uploads the others alone', () => {
			const { store, calls, batches, memberOf, eventsOf } = setUpBatches();
			add(store, 'a', 'b', 'c');
			store.pause(getTask(store, 'a').id);
			expect(batches[0]?.signal.aborted).toBe(true);
			for (const name of ['a', 'b', 'c']) memberOf(0, name).onLeftOut({ path: '', resumeId: name });
			expect(calls).toEqual(['start b', 'start c']);
			expect(getTask(store, 'a').state).toBe('paused');
			eventsOf('b').onSuccess();
			store.resume();
			expect(calls).toEqual(['start b', 'start c', 'start a']);
		});

		test('ignores an aborted batch when its files are sent in the next one', () => {
			const { store, calls, namesSent, memberOf } = setUpBatches();
			add(store, 'a', 'b');
			store.pause();
			store.resume();
			expect(namesSent()).toEqual(['a b', 'a b']);
			for (const name of ['a', 'b']) memberOf(0, name).onLeftOut({ path: '', resumeId: name });
			for (const name of ['a', 'b']) memberOf(1, name).events.onSuccess();
			expect(summarise(store.getTasks())).toMatchObject({ done: 2, running: 0 });
			expect(calls).toEqual([]);
		});
	});

	test('sorts failed uploads before running and finished ones', () => {
		const { store, eventsOf } = setUp();
		add(store, 'a', 'b', 'c');
		eventsOf('a').onSuccess();
		eventsOf('b').onFailure({ method: 'PATCH', status: 507, code: 'STORAGE_FULL' }, '');
		expect(sortForPanel(store.getTasks()).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
	});

	test('sums up the counts, the percentage and the remaining bytes', () => {
		const { store, eventsOf } = setUp();
		add(store, 'a', 'b', 'c', 'd');
		eventsOf('a').onSuccess();
		eventsOf('b').onProgress(4);
		store.cancel(getTask(store, 'd').id);
		expect(summarise(store.getTasks())).toMatchObject({
			running: 2,
			done: 1,
			failed: 0,
			percent: 50,
			remainingBytes: 12,
		});
	});
});
