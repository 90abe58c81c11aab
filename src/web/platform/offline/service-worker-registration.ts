import { type PrecacheOutcome, waitWhilePrecaching } from './precache-progress.ts';

const serviceWorkerUrl = '/offline.js';

/** The app could not be stored: no connection (files received so far are kept), or no space. */
export class PrecacheError extends Error {
	readonly reason: 'line' | 'room';

	constructor(reason: 'line' | 'room') {
		super(`The app could not be laid down: ${reason}`);
		this.name = 'PrecacheError';
		this.reason = reason;
	}
}

/**
 * Registers the offline worker and waits until all files are stored. Tries once more after a deployment in between.
 * @throws PrecacheError, and the browser's errors where service workers are unavailable
 */
export async function registerServiceWorker(): Promise<void> {
	const registration = await navigator.serviceWorker.register(serviceWorkerUrl, { updateViaCache: 'none' });
	let outcome = await requestPrecache(await waitForActiveWorker(registration));
	if (outcome === 'other-build') {
		await registration.update();
		await waitUntilSettled(registration.installing ?? registration.waiting);
		outcome = await requestPrecache(await waitForActiveWorker(registration));
	}
	if (outcome !== 'filled') throw new PrecacheError(outcome === 'room' ? 'room' : 'line');
}

async function requestPrecache(worker: ServiceWorker): Promise<PrecacheOutcome> {
	const channel = new MessageChannel();
	const outcome = new Promise<PrecacheOutcome>((resolve) => {
		channel.port1.onmessage = ({ data }) => resolve(data);
	});
	worker.postMessage('fill', [channel.port2]);
	return waitWhilePrecaching(outcome)
		.catch(() => 'line' as const)
		.finally(() => channel.port1.close());
}

/** @throws PrecacheError when the worker could not be installed: `ready` would never resolve */
async function waitForActiveWorker(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
	if (registration.active === null) await waitUntilSettled(registration.installing ?? registration.waiting);
	if (registration.active === null) throw new PrecacheError('line');
	return registration.active;
}

/** Waits until a worker is active, or its installation has failed. */
async function waitUntilSettled(worker: ServiceWorker | null): Promise<void> {
	const isOver = () => worker === null || worker.state === 'activated' || worker.state === 'redundant';
	const over = new Promise<void>((resolve) => {
		const check = () => isOver() && resolve();
		worker?.addEventListener('statechange', check);
		check();
	});
	await waitWhilePrecaching(over).catch(() => undefined);
}

/** Unregisters the worker; open pages keep using it until they are closed. */
export async function unregisterServiceWorker(): Promise<void> {
	const registrations = await navigator.serviceWorker.getRegistrations();
	await Promise.all(registrations.map((registration) => registration.unregister()));
}

/** Whether a worker controls this page. */
export function isControlledByServiceWorker(): boolean {
	return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
}
