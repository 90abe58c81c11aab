import { queryClient } from '#web/platform/api/query-client.ts';
import { isNotSession, type Session } from '#web/platform/session/session.ts';
import { onSessionEnd } from '#web/platform/session/session-end.ts';
import { canStoreOffline } from './offline-editions.ts';
import { deleteAllOfflineData, hasCachedData, isOfflineSupported, readOfflineData } from './offline-store.ts';
import { registerServiceWorker, unregisterServiceWorker } from './service-worker-registration.ts';

/**
 * Offline data belongs to one session of one user: when it ends for any reason, or another user signs in, everything is
 * deleted at once, and the service worker with it. The worker does the same while no page is open.
 * @param loadNextScreen loads the screen that is shown afterwards: the app's own files are deleted too, and there may
 * be no connection
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
	// A user who has signed in meanwhile has stored editions: they are kept.
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
		// If the server is unreachable, the update is tried when the app is opened again.
		else await registration.update().catch(() => undefined);
	} else if (offlineData === null && ((await hasCachedData()) || (await hasServiceWorker()))) {
		await deleteAllOfflineData();
		await unregisterServiceWorker();
	}
}

async function hasServiceWorker(): Promise<boolean> {
	return (await navigator.serviceWorker.getRegistrations()).length > 0;
}
