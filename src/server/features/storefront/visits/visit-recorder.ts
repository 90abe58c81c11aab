import { setTimeout as sleep } from 'node:timers/promises';
import { isbot } from 'isbot';
import type { VisitBeacon } from '#contract/storefront/landing.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { type RecordedVisit, writeVisits } from './visit-writer.ts';

/** Visits within this delay are written in one transaction, because each transaction waits for the disk. */
const batchDelayMs = 100;
const batchDelayWhileBusyMs = 150;
const visitsPerBatch = 500;
/** Maximum number of queued visits, which limits the memory while they cannot be written. */
const queuedMax = 20_000;
const attemptsMax = 3;
const retryDelayMs = 300;
const publishIntervalMs = 2000;
const referrerMaxLength = 200;

export function createVisitRecorder(deps: Deps) {
	const queue: Array<{ visit: RecordedVisit; resolve: () => void; reject: (error: unknown) => void }> = [];
	const publish = createThrottledPublisher(deps);
	let isRunning = false;

	async function run(): Promise<void> {
		for (let pause = batchDelayMs; queue.length > 0; pause = batchDelayWhileBusyMs) {
			if (queue.length < visitsPerBatch) await sleep(pause);
			const batch = queue.splice(0, visitsPerBatch);
			try {
				const isCounted = await writeWithRetries(
					deps,
					batch.map(({ visit }) => visit),
				);
				for (const { resolve } of batch) resolve();
				if (isCounted) publish();
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
		}
		isRunning = false;
	}

	return {
		/** Resolves when the visit is written. @throws AppError BUSY when too many are queued */
		record(caller: Caller, note: VisitBeacon): Promise<void> {
			if (queue.length >= queuedMax) throw new AppError('BUSY');
			return new Promise((resolve, reject) => {
				queue.push({ visit: toRecordedVisit(deps, caller, note), resolve, reject });
				if (isRunning) return;
				isRunning = true;
				void run();
			});
		},
	};
}

/** Writes visits, and retries after a failure. No visit is written twice, because each has an id. */
async function writeWithRetries(deps: Deps, visits: RecordedVisit[]): Promise<boolean> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await writeVisits(deps, visits);
		} catch (error) {
			if (error instanceof AppError && error.code === 'STORAGE_FULL') {
				deps.log.warn({ visits: visits.length }, 'visits are not recorded: the disk is too full');
				return false;
			}
			if (attempt === attemptsMax) throw error;
			deps.log.warn({ err: error, visits: visits.length }, 'writing visits failed and is retried');
			await sleep(retryDelayMs * attempt);
		}
	}
}

function toRecordedVisit(deps: Deps, caller: Caller, { event, page, referrer }: VisitBeacon): RecordedVisit {
	return {
		id: newId(),
		visited_at: isoAt(deps.clock),
		ip: caller.ip,
		page,
		referrer: foreignOrigin(referrer, deps.config.PUBLIC_URL),
		kind: visitorKindOf(caller),
		event,
	};
}

/** Returns the kind of visitor. A client without a User-Agent counts as a bot, because every browser sends one. */
function visitorKindOf({ actor, userAgent }: Caller): RecordedVisit['kind'] {
	if (actor?.role === 'admin') return 'own';
	return userAgent.trim() === '' || isbot(userAgent) ? 'bot' : 'person';
}

/** Returns the referrer's origin, because path and query may be private; '' for this site and for invalid referrers. */
function foreignOrigin(referrer: string, publicUrl: string): string {
	const url = URL.parse(referrer);
	const isOpen = url !== null && /^https?:$/u.test(url.protocol) && url.origin !== publicUrl;
	return isOpen && url.origin.length <= referrerMaxLength ? url.origin : '';
}

/** Creates a function that notifies admins of new visits, at most once per interval. */
function createThrottledPublisher(deps: Deps): () => void {
	let isPending = false;
	let pausedUntil = 0;
	const publish = () => {
		isPending = false;
		pausedUntil = performance.now() + publishIntervalMs;
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'visits' } });
	};
	return () => {
		if (isPending) return;
		isPending = true;
		setTimeout(publish, Math.max(0, pausedUntil - performance.now())).unref();
	};
}
