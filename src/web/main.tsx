import '#web/platform/mantine-styles.ts';
import '#web/styles/fonts.css';
import '#web/styles/tokens.css';
import '#web/ui/base.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { guardKept } from '#web/platform/kept/kept-guard.ts';
import { onLocaleChange, startLocale } from '#web/platform/locale.ts';
import { styleNonce } from '#web/platform/page-meta.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { resolveVariables, theme } from '#web/platform/theme.ts';
import { applyTheme, themeStore } from '#web/platform/theme-choice.ts';
import { toastLimit } from '#web/platform/toasts.ts';
import { followPerson } from '#web/routes/follow-person.ts';
import { followRole } from '#web/routes/follow-role.ts';
import { leaveOnSessionEnd } from '#web/routes/leave-on-session-end.ts';
import { router } from '#web/routes/router.ts';
import toastClasses from '#web/ui/toast.module.css';

// Read by the libraries below Mantine that write style elements of their own (the scroll lock of dialogs).
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

startLocale();
// The server puts some of its answers into words.
onLocaleChange(() => void queryClient.invalidateQueries());
applyTheme(themeStore.get('auto'));
leaveOnSessionEnd(router, queryClient);
followPerson(router, queryClient);
followRole(router, queryClient);
guardKept(queryClient, () => import('#web/routes/login.tsx'));

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no #root to draw into.');

createRoot(place).render(
	<StrictMode>
		<MantineProvider
			theme={theme}
			cssVariablesResolver={resolveVariables}
			colorSchemeManager={themeStore}
			defaultColorScheme="auto"
			getStyleNonce={styleNonce}
		>
			<QueryClientProvider client={queryClient}>
				<RouterProvider router={router} />
			</QueryClientProvider>
			<Notifications
				position="top-right"
				limit={toastLimit}
				containerWidth={360}
				classNames={{ root: toastClasses.place, notification: toastClasses.toast }}
				// A pointer that rests on one, or a tap, must not keep the others.
				pauseResetOnHover="notification"
				zIndex={400}
			/>
		</MantineProvider>
	</StrictMode>,
);
