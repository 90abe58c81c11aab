import type { QueryClient } from '@tanstack/react-query';
import { type Session, sessionQuery } from '#web/platform/session.ts';
import { onSessionEnd } from '#web/platform/session-end.ts';
import { type Kept, mayKeep } from './kept-shape.ts';
import { canKeepHere, hasAnything, readKept, removeEverything } from './kept-store.ts';
import { startWorker, stopWorker } from './kept-worker.ts';

/**
 * What is kept on this device belongs to one session of one person: when it ends, however it ends, or another person is
 * there, everything goes at once, and the worker with it. The worker itself does the same where no page is open.
 *
 * @param loadNext loads the screen on which somebody is after that: the app's own files go too, and there may be no line
 * @returns how to stop
 */
export function guardKept(queryClient: QueryClient, loadNext: () => Promise<unknown>): () => void {
	if (!canKeepHere()) return () => undefined;
	const remove = () => void removeKept(loadNext).catch(console.error);
	let last: Session | undefined;
	const stopHearing = onSessionEnd(remove);
	const stopLooking = queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const session = query.state.data as Session | undefined;
		if (session === undefined || session === last) return;
		last = session;
		void readKept()
			.then((kept) => {
				if (kept !== null && !isFor(kept, session)) remove();
			})
			.catch(console.error);
	});
	void lookAtWorker().catch(console.error);
	return () => {
		stopHearing();
		stopLooking();
	};
}

function isFor({ personId }: Kept, session: Session): boolean {
	return session.state === 'active' && session.me.id === personId && mayKeep(session.me);
}

async function removeKept(loadNext: () => Promise<unknown>): Promise<void> {
	if ((await readKept()) === null && (await navigator.serviceWorker.getRegistrations()).length === 0) return;
	await removeEverything({ isShellLeft: true });
	await loadNext().catch(() => undefined);
	// Begun anew by whoever signed in meanwhile: theirs stays.
	if ((await readKept()) !== null) return;
	await removeEverything();
	await stopWorker();
}

/** A worker without anything to answer with goes; one that has was perhaps removed by the browser, or is of an older build. */
async function lookAtWorker(): Promise<void> {
	const kept = await readKept();
	if (kept?.editions.some(({ isWhole }) => isWhole)) {
		const registration = await navigator.serviceWorker.getRegistration();
		if (registration === undefined) await startWorker();
		// Nobody may be reached: then it is looked for next time.
		else await registration.update().catch(() => undefined);
	} else if (kept === null && (await isAnythingLeft())) {
		await removeEverything();
		await stopWorker();
	}
}

/** A worker, or files of a keep that was given up. */
async function isAnythingLeft(): Promise<boolean> {
	return (await hasAnything()) || (await navigator.serviceWorker.getRegistrations()).length > 0;
}
