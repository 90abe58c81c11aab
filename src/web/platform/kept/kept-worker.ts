const workerUrl = '/offline.js';
/** The whole app comes down, once for each version of it. */
const fillWithinMs = 180_000;

/**
 * Registers the worker that answers without a line, and waits until all of the app that reading needs is on the device.
 * @throws Error when it could not be laid down
 */
export async function startWorker(): Promise<void> {
	const { serviceWorker } = navigator;
	await serviceWorker.register(workerUrl, { updateViaCache: 'none' });
	const { active } = await within(fillWithinMs, serviceWorker.ready);
	if (active === null) throw new Error('The worker has ended.');
	const channel = new MessageChannel();
	const answered = new Promise<unknown>((resolve) => {
		channel.port1.onmessage = ({ data }) => resolve(data);
	});
	active.postMessage('fill', [channel.port2]);
	const isFilled = await within(fillWithinMs, answered).finally(() => channel.port1.close());
	if (isFilled !== true) throw new Error('The app could not be laid down.');
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

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
	let timer: number | undefined;
	const tooLate = new Promise<never>((_, reject) => {
		timer = window.setTimeout(() => reject(new Error('The worker does not answer.')), ms);
	});
	return Promise.race([work, tooLate]).finally(() => window.clearTimeout(timer));
}
