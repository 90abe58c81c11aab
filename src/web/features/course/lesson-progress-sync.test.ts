import { beforeEach, expect, test } from 'vitest';
import { LessonProgressSync, type LessonProgressUpdate, sendIntervalMs } from './lesson-progress-sync.ts';

let sent: LessonProgressUpdate[];
let isUp: boolean;
let now: number;
let keeper: LessonProgressSync;
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
	sent = [];
	isUp = true;
	now = 0;
	keeper = new LessonProgressSync(
		async (place) => {
			sent.push(place);
			return isUp;
		},
		() => now,
	);
});

test('the first position is sent at once, and then the newest every five seconds', () => {
	for (let second = 0; second <= 11; second += 1) {
		now = second * 1000;
		keeper.record({ position: second, total: 60 });
	}
	expect(sent.map(({ position }) => position)).toEqual([0, 5, 10]);
	expect(sendIntervalMs).toBe(5000);
});

test('flush sends the position that was not sent yet, and only once', () => {
	keeper.record({ position: 0, total: 60 });
	keeper.record({ position: 3, total: 60 });
	keeper.flush();
	keeper.flush();
	expect(sent).toEqual([
		{ position: 0, total: 60 },
		{ position: 3, total: 60 },
	]);
});

test('flush sends nothing for a lesson that was never opened', () => {
	keeper.flush();
	expect(sent).toEqual([]);
});

test('flush sends a position again that could not be stored', async () => {
	isUp = false;
	keeper.record({ position: 7, total: 20 });
	await settle();
	isUp = true;
	keeper.flush();
	expect(sent).toHaveLength(2);
	await settle();
	keeper.flush();
	expect(sent).toHaveLength(2);
});

test('setDone sends the mark as done together with the position', () => {
	keeper.setDone(true);
	keeper.record({ position: 4, total: 9 });
	keeper.setDone(false);
	expect(sent).toEqual([
		{ position: 0, total: 0, isDone: true },
		{ position: 4, total: 9, isDone: false },
	]);
});
