import { type FillOutcome, whileFilling } from './filling.ts';

const workerUrl = '/offline.js';

/** Why the app could not be laid down: no line (what has come stays), or no room. */
export class NotFilledError extends Error {
	readonly reason: 'line' | 'room';

	constructor(reason: 'line' | 'room') {
		super(`The app could not be laid down: ${reason}`);
		this.name = 'NotFilledError';
		this.reason = reason;
	}
}

/**
 * Registers the worker that answers without a line, and waits until all of the app that reading needs is on the device; once
 * anew when a deploy has come in between.
 * @throws NotFilledError, and whatever the browser says that has no workers here
 */
export async function startWorker(): Promise<void> {
	const registration = await navigator.serviceWorker.register(workerUrl, { updateViaCache: 'none' });
	let outcome = await fill(await activeOf(registration));
	if (outcome === 'other-build') {
		await registration.update();
		await settled(registration.installing ?? registration.waiting);
		outcome = await fill(await activeOf(registration));
	}
	if (outcome !== 'filled') throw new NotFilledError(outcome === 'room' ? 'room' : 'line');
}

async function fill(worker: ServiceWorker): Promise<FillOutcome> {
	const channel = new MessageChannel();
	const answered = new Promise<FillOutcome>((resolve) => {
		channel.port1.onmessage = ({ data }) => resolve(data);
	});
	worker.postMessage('fill', [channel.port2]);
	return whileFilling(answered)
		.catch(() => 'line' as const)
		.finally(() => channel.port1.close());
}

/** @throws NotFilledError when the worker could not be installed: `ready` would never say so */
async function activeOf(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
	if (registration.active === null) await settled(registration.installing ?? registration.waiting);
	if (registration.active === null) throw new NotFilledError('line');
	return registration.active;
}

/** Waits until a worker answers, or has been given up. */
async function settled(worker: ServiceWorker | null): Promise<void> {
	const isOver = () => worker === null || worker.state === 'activated' || worker.state === 'redundant';
	const over = new Promise<void>((resolve) => {
		const look = () => isOver() && resolve();
		worker?.addEventListener('statechange', look);
		look();
	});
	await whileFilling(over).catch(() => undefined);
}

/** Takes the worker away; pages that are open finish without it. */
export async function stopWorker(): Promise<void> {
	const registrations = await navigator.serviceWorker.getRegistrations();
	await Promise.all(registrations.map((registration) => registration.unregister()));
}

/** Whether a worker answers for this page. */
export function isWorkerHere(): boolean {
	return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
}
