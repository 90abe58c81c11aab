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
 * The service worker of users who store an edition offline; not registered for others. Requests for URLs without a
 * content hash are sent to the server first; a stored response is used only if the server is unreachable. Responses
 * that end access (an ended session, another user, a list without the edition) are applied before they are returned.
 */
const workerScope = globalThis as unknown as WorkerScope;
const appShellFiles = import.meta.env.SHELL_FILES;
const serverTimeout = new AdaptiveTimeout();

workerScope.addEventListener('install', (event) => event.waitUntil(install()));
workerScope.addEventListener('activate', (event) => event.waitUntil(activate()));
// A page that starts to store an edition requests the app's files: some may have been removed since the worker was
// installed.
workerScope.addEventListener('message', (event) => {
	const [port] = event.ports;
	event.waitUntil(precache().then((outcome) => port?.postMessage(outcome)));
});
workerScope.addEventListener('fetch', (event) => {
	const kind = classifyRequest(event.request, globalThis.location.origin);
	if (kind !== null) event.respondWith(responders[kind](event));
});

/** Installs the first worker at once (the page then requests the files), and a later one after all files are stored. */
async function install(): Promise<void> {
	const outcome = workerScope.registration.active === null ? 'filled' : await precache();
	if (outcome !== 'filled') throw new Error(`The app's files could not be stored: ${outcome}`);
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

/** Deletes all offline data, and unregisters the worker, which is not needed without the data. */
async function clearAndUnregister(): Promise<void> {
	await deleteAllOfflineData();
	await workerScope.registration.unregister();
}

const responders = {
	page: (event: FetchEvent) =>
		answerFromServerFirst(event, {
			handle: async (offlineData, { type, status }) => {
				// The server redirects users who may not see the screen; a network with a login page of its own redirects too.
				if (type === 'opaqueredirect' || status === 401 || status === 403)
					await applyServerResponse(offlineData, '/api/me', await fetch('/api/me', { cache: 'no-store' }));
			},
			findStored: () => findShellPage(appShellFiles),
		}),
	asset: async ({ request }: FetchEvent) =>
		(await findShellFile(appShellFiles, new URL(request.url).pathname)) ?? fetch(request),
	call: (event: FetchEvent) => {
		const { pathname } = new URL(event.request.url);
		return answerFromServerFirst(event, {
			handle: (offlineData, response) => applyServerResponse(offlineData, pathname, response),
			findStored: (offlineData) => findStoredResponse(offlineData, pathname),
		});
	},
	bytes: async ({ request }: FetchEvent) => (await findRangeResponse(request)) ?? fetch(request),
} satisfies Record<string, (event: FetchEvent) => Promise<Response>>;

interface ServerFirstOptions {
	handle: (offlineData: OfflineData, response: Response) => Promise<void>;
	/** Finds the stored response; called only if an edition is complete. */
	findStored: (offlineData: OfflineData) => Promise<Response | undefined>;
}

/** A response of the server after the timeout is handled too, and is returned if nothing is stored. */
async function answerFromServerFirst(event: FetchEvent, { handle, findStored }: ServerFirstOptions): Promise<Response> {
	const offlineData = await readOfflineData();
	if (offlineData === null) return fetch(event.request);
	const serverResponse = fetch(event.request).then(
		async (response) => {
			if (isServerUnreachable(response)) return null;
			await handle(offlineData, response).catch(() => undefined);
			return response;
		},
		() => null,
	);
	event.waitUntil(serverResponse);
	const responseInTime = await serverTimeout.waitFor(serverResponse);
	if (responseInTime !== null) return responseInTime;
	const current = await readOfflineData();
	const stored = current?.editions.some(({ isWhole }) => isWhole) ? await findStored(current) : undefined;
	return stored ?? (await serverResponse) ?? Response.error();
}

function isServerUnreachable({ status }: Response): boolean {
	return status >= 502 && status <= 504;
}

/** Applies a response of our server to the offline data. Responses of proxies in front of it do not end access. */
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

/** The used parts of the service worker's scope. TypeScript's types for workers conflict with its types for pages. */
interface WorkerScope {
	registration: { readonly active: unknown; unregister(): Promise<boolean> };
	clients: { claim(): Promise<void> };
	skipWaiting(): Promise<void>;
	addEventListener<Type extends keyof WorkerEvents>(type: Type, listener: (event: WorkerEvents[Type]) => void): void;
}

interface WorkerEvents {
	install: WorkerLifecycleEvent;
	activate: WorkerLifecycleEvent;
	fetch: FetchEvent;
	message: WorkerLifecycleEvent & { readonly ports: readonly MessagePort[] };
}

interface WorkerLifecycleEvent {
	waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends WorkerLifecycleEvent {
	readonly request: Request;
	respondWith(response: Promise<Response>): void;
}
