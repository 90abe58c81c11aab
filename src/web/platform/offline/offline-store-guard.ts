import { queryClient } from '#web/platform/api/query-client.ts';
import { isNotSession, type Session } from '#web/platform/session/session.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import { canStoreOffline } from './offline-editions.ts';
import { deleteAllOfflineData, hasCachedData, isOfflineSupported, readOfflineData } from './offline-store.ts';
import { registerServiceWorker, unregisterServiceWorker } from './service-worker-registration.ts';

/**
 * Deletes all offline data and the service worker when the session ends or another user signs in.
 * @param loadNextScreen called before the app's files are deleted, because the device may be offline
 */
export function guardOfflineStore(loadNextScreen: () => Promise<unknown>): void {
	if (!isOfflineSupported()) return;
	const remove = () => void clearOfflineStore(loadNextScreen).catch(console.error);
	let lastSession: Session | undefined;
	onSessionEnd(remove);
	queryClient.getQueryCache().subscribe(({ query }) => {
		if (isNotSession(query)) return;
		const session = query.state.data as Session | undefined;
		if (session === undefined || session === lastSession) return;
		lastSession = session;
		void readOfflineData()
			.then((offlineData) => {
				const isOwn =
					session.state === 'active' && session.me.id === offlineData?.userId && canStoreOffline(session.me);
				if (offlineData !== null && !isOwn) remove();
			})
			.catch(console.error);
	});
	void checkServiceWorker().catch(console.error);
}

async function clearOfflineStore(loadNextScreen: () => Promise<unknown>): Promise<void> {
	if ((await readOfflineData()) === null && !(await hasServiceWorker())) return;
	await deleteAllOfflineData({ isShellLeft: true });
	await loadNextScreen().catch(() => undefined);
	// In the meantime, a user may have signed in and stored editions.
	if ((await readOfflineData()) !== null) return;
	await deleteAllOfflineData();
	await unregisterServiceWorker();
}

/** Registers or updates the worker if a complete edition is stored. Unregisters it if no offline data is stored. */
async function checkServiceWorker(): Promise<void> {
	const offlineData = await readOfflineData();
	if (offlineData?.editions.some(({ isWhole }) => isWhole)) {
		const registration = await navigator.serviceWorker.getRegistration();
		if (registration === undefined) await registerServiceWorker();
		// If the server is unreachable, the next start of the app tries again.
		else await registration.update().catch(() => undefined);
	} else if (offlineData === null && ((await hasCachedData()) || (await hasServiceWorker()))) {
		await deleteAllOfflineData();
		await unregisterServiceWorker();
	}
}

async function hasServiceWorker(): Promise<boolean> {
	return (await navigator.serviceWorker.getRegistrations()).length > 0;
}
