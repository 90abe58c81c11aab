import { parseByteRange } from '#shared/byte-ranges.ts';
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
 * This service worker is registered only for users who store an edition offline. Requests for pages and API calls go to
 * the server first. Their stored responses are used only if the server does not respond in time. Assets and the bytes
 * of editions are read from the stored data first.
 */
const workerScope = globalThis as unknown as WorkerScope;
const appShellFiles = import.meta.env.SHELL_FILES;
const serverTimeout = new AdaptiveTimeout();

workerScope.addEventListener('install', (event) => event.waitUntil(install()));
workerScope.addEventListener('activate', (event) => event.waitUntil(activate()));
// A page sends this message before it stores an edition, because some files may be missing in the cache.
workerScope.addEventListener('message', (event) => {
	const [port] = event.ports;
	event.waitUntil(precache().then((outcome) => port?.postMessage(outcome)));
});
workerScope.addEventListener('fetch', (event) => {
	const kind = classifyRequest(event.request, globalThis.location.origin);
	if (kind !== null) event.respondWith(responders[kind](event));
});

/** The first worker stores no files here, because the page requests them later with a message. */
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
		// The offline data may have been deleted in the meantime.
		if ((await readOfflineData()) === null) await clearAndUnregister();
	}
}

async function activate(): Promise<void> {
	await deleteOtherBuilds(appShellFiles);
	await workerScope.clients.claim();
	if ((await readOfflineData()) === null) await clearAndUnregister();
}

/** Unregisters the worker too, because it is only needed for offline data. */
async function clearAndUnregister(): Promise<void> {
	await deleteAllOfflineData();
	await workerScope.registration.unregister();
}

const responders = {
	page: (event: FetchEvent) =>
		answerFromServerFirst(event, {
			handle: async (offlineData, { type, status }) => {
				// The server redirects users without access. The login page of a public network redirects too, so a response of
				// /api/me must confirm that the user has no access.
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
	/** Called only if an edition is stored completely. */
	findStored: (offlineData: OfflineData) => Promise<Response | undefined>;
}

/** Waits for the server up to a timeout. A later response is still passed to `handle`. */
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

/** Updates or deletes the offline data according to the server's response. Ignores responses of proxies. */
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

/** Reading positions and annotations are stored only for editions that are stored offline. */
function isPathStored({ editions }: OfflineData, path: string): boolean {
	return !path.startsWith('/api/reading/') || editions.some(({ key }) => path === `/api/reading/${key}`);
}

async function findStoredResponse(offlineData: OfflineData, path: string): Promise<Response | undefined> {
	const response = await findResponse(offlineData, path);
	if (response === undefined || path !== '/api/shelf') return response;
	return Response.json(offlineShelf((await response.json()) as ShelfLike, offlineData));
}

/** The URL contains the version, so bytes of another version are never returned. */
async function findRangeResponse(request: Request): Promise<Response | null> {
	const offlineData = await readOfflineData();
	const { pathname, search } = new URL(request.url);
	const edition = offlineData?.editions.find(({ url, isWhole }) => isWhole && url === pathname + search);
	if (offlineData === null || edition === undefined) return null;
	const range = parseByteRange(request.headers.get('range'), edition.sizeBytes);
	if (range === null || range === 'unsatisfiable') return null;
	const bytes = await readRange(offlineData, edition, range);
	if (bytes === null) {
		// The edition is incomplete, because the browser has deleted some of its bytes.
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

/** Declared here, because TypeScript's types for pages and for workers conflict. */
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
