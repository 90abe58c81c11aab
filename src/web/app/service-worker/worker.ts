import { parseRangeHeader } from '#web/platform/offline/offline-chunks.ts';
import {
	canStoreOffline,
	type OfflineData,
	offlineShelf,
	type ShelfLike,
	type UserLike,
} from '#web/platform/offline/offline-editions.ts';
import {
	deleteAllOfflineData,
	deleteEdition,
	findResponse,
	readOfflineData,
	readRange,
	reconcileWithShelf,
	saveResponse,
} from '#web/platform/offline/offline-store.ts';
import {
	isStorageUnavailable,
	type PrecacheOutcome,
	publishPrecacheProgress,
} from '#web/platform/offline/precache-progress.ts';
import { AdaptiveTimeout } from './adaptive-timeout.ts';
import {
	BuildMismatchError,
	deleteOtherBuilds,
	findShellFile,
	findShellPage,
	precacheAppShell,
} from './app-shell-cache.ts';
import { classifyRequest } from './request-kind.ts';

/**
 * The service worker of users who keep an edition offline; not registered for others. Requests without a hash in their
 * name go to the server first; the cache answers only when the server does not. Responses that end access (an ended
 * session, another user, a list without the edition) are applied before they are passed on.
 */
const workerScope = globalThis as unknown as WorkerScope;
const appShellFiles = import.meta.env.SHELL_FILES;
const serverTimeout = new AdaptiveTimeout();

workerScope.addEventListener('install', (event) => event.waitUntil(install()));
workerScope.addEventListener('activate', (event) => event.waitUntil(activate()));
// A page that begins to store an edition asks whether all files are stored: some may have been removed since the worker
// was installed.
workerScope.addEventListener('message', (event) => {
	const [port] = event.ports;
	event.waitUntil(precache().then((outcome) => port?.postMessage(outcome)));
});
workerScope.addEventListener('fetch', (event) => {
	const way = classifyRequest(event.request, globalThis.location.origin);
	if (way !== null) event.respondWith(responders[way](event));
});

/** The first worker is installed at once; the page then asks for the files. A later worker stores all files first. */
async function install(): Promise<void> {
	const outcome = workerScope.registration.active === null ? 'filled' : await precache();
	if (outcome !== 'filled') throw new Error(`The app could not be laid down: ${outcome}`);
	await workerScope.skipWaiting();
}

async function precache(): Promise<PrecacheOutcome> {
	try {
		await precacheAppShell(appShellFiles, publishPrecacheProgress);
		return 'filled';
	} catch (error) {
		if (error instanceof BuildMismatchError) return 'other-build';
		return isStorageUnavailable(error) ? 'room' : 'line';
	} finally {
		// If the offline data was deleted meanwhile, nothing stays stored.
		if ((await readOfflineData()) === null) await clearAndUnregister();
	}
}

async function activate(): Promise<void> {
	await deleteOtherBuilds(appShellFiles);
	await workerScope.clients.claim();
	if ((await readOfflineData()) === null) await clearAndUnregister();
}

/** Without offline data of any user, the worker is unregistered too. */
async function clearAndUnregister(): Promise<void> {
	await deleteAllOfflineData();
	await workerScope.registration.unregister();
}

const responders = {
	page: async (event: FetchEvent) => {
		const kept = await readOfflineData();
		if (kept === null) return fetch(event.request);
		const { inTime, late } = await fetchFromServer(event, async ({ type, status }) => {
			// The server redirects users who may not see the screen; a network with a login page of its own redirects too.
			if (type === 'opaqueredirect' || status === 401 || status === 403)
				await applyServerResponse(kept, '/api/me', await fetch('/api/me', { cache: 'no-store' }));
		});
		return inTime ?? (await ifEditionComplete(() => findShellPage(appShellFiles))) ?? (await late) ?? Response.error();
	},
	asset: async ({ request }: FetchEvent) =>
		(await findShellFile(appShellFiles, new URL(request.url).pathname)) ?? fetch(request),
	call: async (event: FetchEvent) => {
		const kept = await readOfflineData();
		if (kept === null) return fetch(event.request);
		const { pathname } = new URL(event.request.url);
		const { inTime, late } = await fetchFromServer(event, (given) => applyServerResponse(kept, pathname, given));
		return (
			inTime ??
			(await ifEditionComplete((now) => findStoredResponse(now, pathname))) ??
			(await late) ??
			Response.error()
		);
	},
	bytes: async ({ request }: FetchEvent) => (await findRangeResponse(request)) ?? fetch(request),
} satisfies Record<string, (event: FetchEvent) => Promise<Response>>;

/**
 * Returns the server's response after it was applied; null if the server is unreachable. A response after the timeout
 * is applied too, and is returned if nothing is stored.
 */
async function fetchFromServer(
	event: FetchEvent,
	handleResponse: (answer: Response) => Promise<void>,
): Promise<{ inTime: Response | null; late: Promise<Response | null> }> {
	const asked = fetch(event.request).then(
		async (answer) => {
			if (isServerUnreachable(answer)) return null;
			await handleResponse(answer).catch(() => undefined);
			return answer;
		},
		() => null,
	);
	event.waitUntil(asked);
	return { inTime: await serverTimeout.waitFor(asked), late: asked };
}

/** Whether a proxy responded because the server did not. */
function isServerUnreachable({ status }: Response): boolean {
	return status >= 502 && status <= 504;
}

/** Applies a response of our server. Responses from proxies in between do not end access. */
async function applyServerResponse(offlineData: OfflineData, path: string, response: Response): Promise<void> {
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => null);
	if (errorCodeOf(body) === 'UNAUTHORIZED' || errorCodeOf(body) === 'ACCOUNT_INACTIVE') return clearAndUnregister();
	if (!response.ok || body === null) return;
	if (path === '/api/me') {
		const user = body as UserLike;
		if (user.id !== offlineData.userId || !canStoreOffline(user)) return clearAndUnregister();
	}
	if (path === '/api/shelf') {
		const remaining = await reconcileWithShelf(body as ShelfLike);
		if (remaining === null) return clearAndUnregister();
	}
	if (isPathStored(offlineData, path)) await saveResponse(offlineData.userId, path, response.clone());
}

function errorCodeOf(body: unknown): unknown {
	return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Whether responses of this path are stored: reading positions and annotations only for editions stored offline. */
function isPathStored({ editions }: OfflineData, path: string): boolean {
	return !path.startsWith('/api/reading/') || editions.some(({ key }) => path === `/api/reading/${key}`);
}

async function ifEditionComplete<T>(find: (kept: OfflineData) => Promise<T>): Promise<T | undefined> {
	const kept = await readOfflineData();
	return kept?.editions.some(({ isWhole }) => isWhole) ? find(kept) : undefined;
}

async function findStoredResponse(offlineData: OfflineData, path: string): Promise<Response | undefined> {
	const response = await findResponse(offlineData, path);
	if (response === undefined || path !== '/api/shelf') return response;
	return Response.json(offlineShelf((await response.json()) as ShelfLike, offlineData));
}

/** Returns bytes of a complete edition. The URL contains the version, so another version or copy never matches. */
async function findRangeResponse(request: Request): Promise<Response | null> {
	const offlineData = await readOfflineData();
	const { pathname, search } = new URL(request.url);
	const edition = offlineData?.editions.find(({ url, isWhole }) => isWhole && url === pathname + search);
	if (offlineData === null || edition === undefined) return null;
	const range = parseRangeHeader(request.headers.get('range'), edition.sizeBytes);
	if (range === null || range === 'unsatisfiable') return null;
	const bytes = await readRange(offlineData, edition, range);
	if (bytes === null) {
		// The browser has removed some of the bytes, so the edition is no longer complete.
		await deleteEdition(edition.key);
		return null;
	}
	return new Response(bytes, {
		status: 206,
		headers: {
			'accept-ranges': 'bytes',
			'cache-control': 'no-store',
			'content-length': String(bytes.size),
			'content-range': `bytes ${range.start}-${range.end}/${edition.sizeBytes}`,
			'content-type': 'application/pdf',
		},
	});
}

/** The parts of the service worker scope that we use; TypeScript's own library for it excludes that of pages. */
interface WorkerScope {
	registration: { readonly active: unknown; unregister(): Promise<boolean> };
	clients: { claim(): Promise<void> };
	skipWaiting(): Promise<void>;
	addEventListener(type: 'install' | 'activate', listener: (event: WorkerLifecycleEvent) => void): void;
	addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
	addEventListener(type: 'message', listener: (event: WorkerMessageEvent) => void): void;
}

interface WorkerLifecycleEvent {
	waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends WorkerLifecycleEvent {
	readonly request: Request;
	respondWith(answer: Promise<Response>): void;
}

interface WorkerMessageEvent extends WorkerLifecycleEvent {
	readonly data: unknown;
	readonly ports: readonly MessagePort[];
}
