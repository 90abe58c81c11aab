import { type FillOutcome, isRefusedRoom, tellFilling } from '#web/platform/kept/filling.ts';
import { parseRange } from '#web/platform/kept/kept-pieces.ts';
import {
	type Kept,
	mayKeep,
	type PersonLike,
	type ShelfLike,
	shelfWithoutLine,
} from '#web/platform/kept/kept-shape.ts';
import {
	keepAnswer,
	readKept,
	readRange,
	recallAnswer,
	removeEdition,
	removeEverything,
	settleWithShelf,
} from '#web/platform/kept/kept-store.ts';
import { Patience } from './patience.ts';
import { fillShell, OtherBuildError, recallFile, recallPage, removeOtherShells } from './shell-files.ts';
import type { FetchEvent, WorkerScope } from './worker-scope.ts';
import { wayOf } from './worker-ways.ts';

/**
 * The worker of those who keep an edition on their device; registered by nobody else. The server is asked first for
 * everything whose name has no hash, and the device answers only when the server does not. What the server says (a session
 * that is over, another person, a shelf without the edition) is heeded before it is handed on.
 */
const scope = globalThis as unknown as WorkerScope;
const files = import.meta.env.SHELL_FILES;
const patience = new Patience();

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(begin()));
// A page that begins to keep something asks whether everything is here: a worker may outlive what it had laid down.
scope.addEventListener('message', (event) => {
	const [port] = event.ports;
	event.waitUntil(fill().then((outcome) => port?.postMessage(outcome)));
});
scope.addEventListener('fetch', (event) => {
	const way = wayOf(event.request, globalThis.location.origin);
	if (way !== null) event.respondWith(answers[way](event));
});

/** The first one is there at once and filled by the page that wants it; another one takes over when it has everything. */
async function install(): Promise<void> {
	const outcome = scope.registration.active === null ? 'filled' : await fill();
	if (outcome !== 'filled') throw new Error(`The app could not be laid down: ${outcome}`);
	await scope.skipWaiting();
}

async function fill(): Promise<FillOutcome> {
	try {
		await fillShell(files, tellFilling);
		return 'filled';
	} catch (error) {
		if (error instanceof OtherBuildError) return 'other-build';
		return isRefusedRoom(error) ? 'room' : 'line';
	} finally {
		// Given up meanwhile: nothing of it stays behind.
		if ((await readKept()) === null) await leave();
	}
}

async function begin(): Promise<void> {
	await removeOtherShells(files);
	await scope.clients.claim();
	if ((await readKept()) === null) await leave();
}

/** Nothing is kept for anybody any more: the worker goes too. */
async function leave(): Promise<void> {
	await removeEverything();
	await scope.registration.unregister();
}

const answers = {
	page: async (event: FetchEvent) => {
		const kept = await readKept();
		if (kept === null) return fetch(event.request);
		const { inTime, late } = await askServer(event, async ({ type, status }) => {
			// The server sends whoever may not see the screen elsewhere; so does a network that wants a password.
			if (type === 'opaqueredirect' || status === 401 || status === 403)
				await heed(kept, '/api/me', await fetch('/api/me', { cache: 'no-store' }));
		});
		return inTime ?? (await whenWhole(() => recallPage(files))) ?? (await late) ?? Response.error();
	},
	asset: async ({ request }: FetchEvent) => (await recallFile(files, new URL(request.url).pathname)) ?? fetch(request),
	call: async (event: FetchEvent) => {
		const kept = await readKept();
		if (kept === null) return fetch(event.request);
		const { pathname } = new URL(event.request.url);
		const { inTime, late } = await askServer(event, (given) => heed(kept, pathname, given));
		return inTime ?? (await whenWhole((now) => recallCall(now, pathname))) ?? (await late) ?? Response.error();
	},
	bytes: async ({ request }: FetchEvent) => (await findBytes(request)) ?? fetch(request),
} satisfies Record<string, (event: FetchEvent) => Promise<Response>>;

/**
 * The server's answer once it has been heeded; null when it is out of reach. One that comes too late to be handed on is
 * heeded all the same, and is better than none.
 */
async function askServer(
	event: FetchEvent,
	heedAnswer: (answer: Response) => Promise<void>,
): Promise<{ inTime: Response | null; late: Promise<Response | null> }> {
	const asked = fetch(event.request).then(
		async (answer) => {
			if (isOutOfReach(answer)) return null;
			await heedAnswer(answer).catch(() => undefined);
			return answer;
		},
		() => null,
	);
	event.waitUntil(asked);
	return { inTime: await patience.await(asked), late: asked };
}

/** What a proxy says in place of a server that does not answer. */
function isOutOfReach({ status }: Response): boolean {
	return status >= 502 && status <= 504;
}

/** Heeds what our server says: what anything between it and this device says, ends nothing. */
async function heed(kept: Kept, path: string, answer: Response): Promise<void> {
	const body: unknown = await answer
		.clone()
		.json()
		.catch(() => null);
	if (codeOf(body) === 'UNAUTHORIZED' || codeOf(body) === 'ACCOUNT_INACTIVE') return leave();
	if (!answer.ok || body === null) return;
	if (path === '/api/me') {
		const person = body as PersonLike;
		if (person.id !== kept.personId || !mayKeep(person)) return leave();
	}
	if (path === '/api/shelf') {
		const left = await settleWithShelf(body as ShelfLike);
		if (left === null) return leave();
	}
	if (isOfKept(kept, path)) await keepAnswer(kept.personId, path, answer.clone());
}

function codeOf(body: unknown): unknown {
	return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Where somebody is, and what they have marked: only of what they keep. */
function isOfKept({ editions }: Kept, path: string): boolean {
	return !path.startsWith('/api/reading/') || editions.some(({ key }) => path === `/api/reading/${key}`);
}

async function whenWhole<T>(recall: (kept: Kept) => Promise<T>): Promise<T | undefined> {
	const kept = await readKept();
	return kept?.editions.some(({ isWhole }) => isWhole) ? recall(kept) : undefined;
}

async function recallCall(kept: Kept, path: string): Promise<Response | undefined> {
	const answer = await recallAnswer(kept, path);
	if (answer === undefined || path !== '/api/shelf') return answer;
	return Response.json(shelfWithoutLine((await answer.json()) as ShelfLike, kept));
}

/** The bytes of a whole edition, by its version: another version, and another person's copy, has another address. */
async function findBytes(request: Request): Promise<Response | null> {
	const kept = await readKept();
	const { pathname, search } = new URL(request.url);
	const edition = kept?.editions.find(({ url, isWhole }) => isWhole && url === pathname + search);
	if (kept === null || edition === undefined) return null;
	const range = parseRange(request.headers.get('range'), edition.sizeBytes);
	if (range === null || range === 'unsatisfiable') return null;
	const bytes = await readRange(kept, edition, range);
	if (bytes === null) {
		// The browser has thrown something away: then it is not kept.
		await removeEdition(edition.key);
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
