import '#web/ui/theme/mantine-styles.ts';
import '#web/ui/theme/mantine-variables.css';
import '#web/styles/fonts.css';
import '#web/styles/tokens.css';
import '#web/styles/reset.css';
import '#web/styles/base.css';
import '#web/styles/book-cover.css';
import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { redirectOnSessionEnd, watchSessionUser } from '#web/app/guards/session-changes.ts';
import { router } from '#web/app/routes/router.tsx';
import { queryClient } from '#web/platform/api/query-client.ts';
import { styleNonce } from '#web/platform/browser/page-head.ts';
import { toastLimit } from '#web/platform/browser/toasts.ts';
import { onLocaleChange, startLocale } from '#web/platform/formats/locale.ts';
import { guardOfflineStore } from '#web/platform/offline/offline-store-guard.ts';
import { loadOverlays, useOverlays } from '#web/ui/overlays/overlays-on-demand.tsx';
import toastClasses from '#web/ui/overlays/toast.module.css';
import { theme } from '#web/ui/theme/theme.ts';
import { applyTheme, themeStore } from '#web/ui/theme/theme-choice.ts';

// Some dependencies of Mantine insert style elements with this nonce, for example the scroll lock of dialogs.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

startLocale();
// Some cached responses contain text in the previous language.
onLocaleChange(() => void queryClient.invalidateQueries());
applyTheme(themeStore.get('auto'));
redirectOnSessionEnd(router);
watchSessionUser(router);
guardOfflineStore(() => import('#web/app/routes/public/login-screen.tsx'));

const stopWaiting = router.subscribe('onRendered', () => {
	stopWaiting();
	// Safari has no idle callbacks. A failure is reported when an overlay is opened.
	const callWhenIdle = window.requestIdleCallback ?? window.setTimeout;
	callWhenIdle(() => void loadOverlays().catch(() => undefined));
});

const rootElement = document.getElementById('root');
if (rootElement === null) throw new Error('The page has no #root element.');

createRoot(rootElement).render(
	<StrictMode>
		<MantineProvider
			theme={theme}
			withCssVariables={false}
			withGlobalClasses={false}
			colorSchemeManager={themeStore}
			defaultColorScheme="auto"
			getStyleNonce={styleNonce}
		>
			<QueryClientProvider client={queryClient}>
				<RouterProvider router={router} />
			</QueryClientProvider>
			<Toasts />
		</MantineProvider>
	</StrictMode>,
);

/** Until their scripts have been loaded, or if these cannot be loaded, the newest toast is a plain box. */
function Toasts() {
	const overlays = useOverlays();
	const { notifications: waiting } = useNotifications();
	if (overlays === undefined)
		return waiting.slice(-1).map(({ id, message }) => (
			<div key={id} role="alert" className={toastClasses.plain}>
				{message}
			</div>
		));
	return (
		<overlays.Notifications
			position="top-right"
			limit={toastLimit}
			containerWidth={360}
			classNames={{ root: toastClasses.container, notification: toastClasses.toast }}
			// By default, hovering over one toast would keep all toasts open.
			pauseResetOnHover="notification"
			zIndex={400}
		/>
	);
}
