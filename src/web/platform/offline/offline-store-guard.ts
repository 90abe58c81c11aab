import type { QueryClient } from '@tanstack/react-query';
import { type Session, sessionQuery } from '#web/platform/session/session.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import { canStoreOffline, type OfflineData } from './offline-editions.ts';
import { deleteAllOfflineData, hasCachedData, isOfflineSupported, readOfflineData } from './offline-store.ts';
import { registerServiceWorker, unregisterServiceWorker } from './service-worker-registration.ts';

/**
 * Offline data belongs to one session of one user: when it ends for any reason, or another user signs in, everything is
 * deleted at once, and the service worker with it. The worker does the same while no page is open.
 * @param loadNextScreen loads the screen that is shown afterwards: the app's own files are deleted too, and there may
 * be no connection
 */
export function guardOfflineStore(queryClient: QueryClient, loadNextScreen: () => Promise<unknown>): void {
	if (!isOfflineSupported()) return;
	const remove = () => void clearOfflineStore(loadNextScreen).catch(console.error);
	let lastSession: Session | undefined;
	onSessionEnd(remove);
	queryClient.getQueryCache().subscribe(({ query }) => {
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
}

function belongsToSession({ userId: personId }: OfflineData, session: Session): boolean {
	return session.state === 'active' && session.me.id === personId && canStoreOffline(session.me);
}

async function clearOfflineStore(loadNextScreen: () => Promise<unknown>): Promise<void> {
	if ((await readOfflineData()) === null && (await navigator.serviceWorker.getRegistrations()).length === 0) return;
	await deleteAllOfflineData({ isShellLeft: true });
	await loadNextScreen().catch(() => undefined);
	// Stored again by a user who has signed in meanwhile: it is kept.
	if ((await readOfflineData()) !== null) return;
	await deleteAllOfflineData();
	await unregisterServiceWorker();
}

/** Unregisters a worker without offline data; otherwise registers it again if it is gone, or updates an older one. */
async function checkServiceWorker(): Promise<void> {
	const offlineData = await readOfflineData();
	if (offlineData?.editions.some(({ isWhole }) => isWhole)) {
		const registration = await navigator.serviceWorker.getRegistration();
		if (registration === undefined) await registerServiceWorker();
		// The server may be unreachable: then the update is tried next time.
		else await registration.update().catch(() => undefined);
	} else if (offlineData === null && (await hasLeftoverData())) {
		await deleteAllOfflineData();
		await unregisterServiceWorker();
	}
}

/** Whether a worker, or files of an unfinished download, are left. */
async function hasLeftoverData(): Promise<boolean> {
	return (await hasCachedData()) || (await navigator.serviceWorker.getRegistrations()).length > 0;
}
