import { type PrecacheOutcome, waitWhilePrecaching } from './precache-progress.ts';

const serviceWorkerUrl = '/offline.js';

/**
 * `room`: no disk space; `line`: the server is unreachable; `denied`: no access, or the file has changed; `over`: the
 * download was cancelled or the edition was removed.
 */
export type OfflineCopyFailure = 'room' | 'line' | 'denied' | 'over';

export class OfflineCopyError extends Error {
	readonly reason: OfflineCopyFailure;

	constructor(reason: OfflineCopyFailure) {
		super(`The offline copy was not stored: ${reason}`);
		this.name = 'OfflineCopyError';
		this.reason = reason;
	}
}

/**
 * Registers the service worker and waits until it has stored the app's files. Tries once more if the worker is from
 * another build. @throws OfflineCopyError
 */
export async function registerServiceWorker(): Promise<void> {
	const registration = await navigator.serviceWorker.register(serviceWorkerUrl, { updateViaCache: 'none' });
	let outcome = await requestPrecache(await waitForActiveWorker(registration));
	if (outcome === 'other-build') {
		await registration.update();
		await waitUntilSettled(registration.installing ?? registration.waiting);
		outcome = await requestPrecache(await waitForActiveWorker(registration));
	}
	if (outcome !== 'filled') throw new OfflineCopyError(outcome === 'room' ? 'room' : 'line');
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

/** `navigator.serviceWorker.ready` would never resolve after a failed installation. @throws OfflineCopyError */
async function waitForActiveWorker(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
	if (registration.active === null) await waitUntilSettled(registration.installing ?? registration.waiting);
	if (registration.active === null) throw new OfflineCopyError('line');
	return registration.active;
}

async function waitUntilSettled(worker: ServiceWorker | null): Promise<void> {
	const isOver = () => worker === null || worker.state === 'activated' || worker.state === 'redundant';
	const over = new Promise<void>((resolve) => {
		const check = () => isOver() && resolve();
		worker?.addEventListener('statechange', check);
		check();
	});
	await waitWhilePrecaching(over).catch(() => undefined);
}

/** Open pages use the unregistered worker until they are closed. */
export async function unregisterServiceWorker(): Promise<void> {
	const registrations = await navigator.serviceWorker.getRegistrations();
	await Promise.all(registrations.map((registration) => registration.unregister()));
}

export function isControlledByServiceWorker(): boolean {
	return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
}
