import { nextSpeed, startSpeed } from './upload-speed.ts';
import { isAnyUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import type { OpenTransport, Transport } from './upload-transport.ts';

/** Words for a failed upload; given in, so that the store knows no language. */
export type DescribeUploadFailure = (
	name: string,
	failure: { status: number; code: string },
	message: string,
) => string;

/** All uploads of this page. It lives outside React and so outlives every change of screen. */
export interface UploadStore {
	/** The tasks, oldest first; a new array after every change. */
	getTasks: () => readonly UploadTask[];
	subscribe: (listener: () => void) => () => void;
	/** Hears of each file that the server has taken whole. */
	onFinished: (listener: (task: UploadTask) => void) => () => void;
	/** Hears of each file that was left out because its name is taken. */
	onSkipped: (listener: (task: UploadTask) => void) => () => void;
	add: (files: readonly File[], target: UploadTarget) => void;
	pause: (id: string) => void;
	resume: (id: string) => void;
	cancel: (id: string) => void;
	/** A failed upload again, from what the server already has. */
	retry: (id: string) => void;
	/** Takes tasks that are over off the list. */
	clearOver: () => void;
}

export interface UploadStoreParts {
	openTransport: OpenTransport;
	describeFailure: DescribeUploadFailure;
	now: () => number;
	/** Uploads that run side by side; a browser has six connections to a server over HTTP/1.1, and one is the event stream. */
	atOnce: number;
}

const canceledStaysMs = 4000;

/** Makes a store; the app has one, tests make their own. */
export function createUploadStore({ openTransport, describeFailure, now, atOnce }: UploadStoreParts): UploadStore {
	let tasks: readonly UploadTask[] = [];
	let count = 0;
	const transports = new Map<string, Transport>();
	const listeners = new Set<() => void>();
	const finishedListeners = new Set<(task: UploadTask) => void>();
	const skippedListeners = new Set<(task: UploadTask) => void>();

	function find(id: string): UploadTask | undefined {
		return tasks.find((task) => task.id === id);
	}

	function change(id: string, part: Partial<UploadTask>): void {
		tasks = tasks.map((task) => (task.id === id ? { ...task, ...part } : task));
		for (const listener of listeners) listener();
	}

	function tell(hearers: ReadonlySet<(task: UploadTask) => void>, id: string): void {
		const task = find(id);
		if (task) for (const hear of hearers) hear(task);
	}

	/** A canceled file stays struck out for a moment and then leaves the list. */
	function forgetSoon(id: string): void {
		setTimeout(() => {
			if (find(id)?.state !== 'canceled') return;
			tasks = tasks.filter((task) => task.id !== id);
			transports.delete(id);
			for (const listener of listeners) listener();
		}, canceledStaysMs);
	}

	function startNext(): void {
		const underWay = tasks.filter((task) => task.state === 'running' && task.waitingFor !== 'turn').length;
		const waiting = tasks.filter((task) => task.state === 'running' && task.waitingFor === 'turn');
		for (const task of waiting.slice(0, Math.max(0, atOnce - underWay))) {
			change(task.id, { waitingFor: null, speed: startSpeed(now()) });
			void transports.get(task.id)?.start();
		}
	}

	function over(id: string, part: Partial<UploadTask>): void {
		change(id, { waitingFor: null, ...part });
		startNext();
	}

	function open(id: string, file: File, target: UploadTarget): Transport {
		return openTransport(file, target, {
			onProgress: (sentBytes) => {
				const task = find(id);
				if (task?.state !== 'running') return;
				change(id, { sentBytes, waitingFor: null, speed: nextSpeed(task.speed, sentBytes, now()) });
			},
			onWaiting: () => change(id, { waitingFor: 'line' }),
			onSuccess: () => {
				over(id, { state: 'success', sentBytes: file.size });
				tell(finishedListeners, id);
			},
			onFailure: (failure, message) => {
				const isSkipped = failure.code === 'FILE_EXISTS';
				over(id, { state: 'error', error: describeFailure(file.name, failure, message), isSkipped });
				if (isSkipped) tell(skippedListeners, id);
			},
		});
	}

	function queue(id: string): void {
		change(id, { state: 'running', waitingFor: 'turn', error: null });
		startNext();
	}

	return {
		getTasks: () => tasks,
		subscribe: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		onFinished: (listener) => {
			finishedListeners.add(listener);
			return () => finishedListeners.delete(listener);
		},
		onSkipped: (listener) => {
			skippedListeners.add(listener);
			return () => skippedListeners.delete(listener);
		},
		add: (files, target) => {
			for (const file of files) {
				const id = `upload-${++count}`;
				transports.set(id, open(id, file, target));
				tasks = [...tasks, newTask(id, file, target, now())];
			}
			for (const listener of listeners) listener();
			startNext();
		},
		pause: (id) => {
			if (find(id)?.state !== 'running') return;
			over(id, { state: 'paused' });
			void transports.get(id)?.pause();
		},
		resume: (id) => {
			if (find(id)?.state === 'paused') queue(id);
		},
		cancel: (id) => {
			const state = find(id)?.state;
			if (state === 'success' || state === 'canceled') return;
			over(id, { state: 'canceled', error: null });
			forgetSoon(id);
			// The bytes at the server expire by themselves if it cannot be told now.
			transports
				.get(id)
				?.cancel()
				.catch(() => undefined);
		},
		retry: (id) => {
			if (find(id)?.state === 'error') queue(id);
		},
		clearOver: () => {
			tasks = tasks.filter((task) => isAnyUnfinished([task]));
			for (const id of transports.keys()) if (!find(id)) transports.delete(id);
			for (const listener of listeners) listener();
		},
	};
}

function newTask(id: string, file: File, target: UploadTarget, now: number): UploadTask {
	return {
		id,
		...target,
		name: file.name,
		sizeBytes: file.size,
		sentBytes: 0,
		state: 'running',
		waitingFor: 'turn',
		speed: startSpeed(now),
		error: null,
		isSkipped: false,
	};
}
