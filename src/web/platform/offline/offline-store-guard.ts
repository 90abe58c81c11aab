import type { QueryClient } from '@tanstack/react-query';
import { type Session, sessionQuery } from '#web/platform/session/session.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import { canStoreOffline, type OfflineData } from './offline-editions.ts';
import { deleteAllOfflineData, hasCachedData, isOfflineSupported, readOfflineData } from './offline-store.ts';
import { registerServiceWorker, unregisterServiceWorker } from './service-worker-registration.ts';

/**
 * What is kept on this device belongs to one session of one person: when it ends, however it ends, or another person is
 * there, everything goes at once, and the worker with it. The worker itself does the same where no page is open.
 *
 * @param loadNextScreen loads the screen on which somebody is after that: the app's own files go too, and there may be no line
 * @returns how to stop
 */
export function guardOfflineStore(queryClient: QueryClient, loadNextScreen: () => Promise<unknown>): () => void {
	if (!isOfflineSupported()) return () => undefined;
	const remove = () => void clearOfflineStore(loadNextScreen).catch(console.error);
	let lastSession: Session | undefined;
	const unsubscribeSessionEnd = onSessionEnd(remove);
	const unsubscribeQueryCache = queryClient.getQueryCache().subscribe(({ query }) => {
		if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
		const session = query.state.data as Session | undefined;
		if (session === undefined || session === lastSession) return;
		lastSession = session;
		void readOfflineData()
			.then((offlineData) => {
				if (offlineData !== null && !belongsToSession(offlineData, session)) remove();
			})
			.catch(console.error);
	});
	void checkServiceWorker().catch(console.error);
	return () => {
		unsubscribeSessionEnd();
		unsubscribeQueryCache();
	};
}

function belongsToSession({ userId: personId }: OfflineData, session: Session): boolean {
	return session.state === 'active' && session.me.id === personId && canStoreOffline(session.me);
}

async function clearOfflineStore(loadNextScreen: () => Promise<unknown>): Promise<void> {
	if ((await readOfflineData()) === null && (await navigator.serviceWorker.getRegistrations()).length === 0) return;
	await deleteAllOfflineData({ isShellLeft: true });
	await loadNextScreen().catch(() => undefined);
	// Begun anew by whoever signed in meanwhile: theirs stays.
	if ((await readOfflineData()) !== null) return;
	await deleteAllOfflineData();
	await unregisterServiceWorker();
}

/** A worker without anything to answer with goes; one that has was perhaps removed by the browser, or is of an older build. */
async function checkServiceWorker(): Promise<void> {
	const offlineData = await readOfflineData();
	if (offlineData?.editions.some(({ isWhole }) => isWhole)) {
		const registration = await navigator.serviceWorker.getRegistration();
		if (registration === undefined) await registerServiceWorker();
		// Nobody may be reached: then it is looked for next time.
		else await registration.update().catch(() => undefined);
	} else if (offlineData === null && (await hasLeftoverData())) {
		await deleteAllOfflineData();
		await unregisterServiceWorker();
	}
}

/** A worker, or files of a keep that was given up. */
async function hasLeftoverData(): Promise<boolean> {
	return (await hasCachedData()) || (await navigator.serviceWorker.getRegistrations()).length > 0;
}
