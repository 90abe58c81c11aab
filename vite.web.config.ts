import react from '@vitejs/plugin-react';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vite';
import { contractPlugin } from './scripts/build/contract-plugin.ts';
import { messagesPlugin } from './scripts/build/messages-plugin.ts';
import { pdfjsPlugin } from './scripts/build/pdfjs-plugin.ts';
import { serviceWorkerPlugin } from './scripts/build/service-worker-plugin.ts';
import { singleImportsPlugin } from './scripts/build/single-imports-plugin.ts';
import { smallPackagesPlugin } from './scripts/build/small-packages-plugin.ts';

const workspace = 'src/web/app/main.tsx';
const router = 'src/web/app/routes/router.tsx';
const landing = 'src/web/landing/entry.ts';
/** The script of the order page. */
const order = 'src/web/landing/order-page/order-page-entry.ts';
/** The script that the landing page loads shortly before a visitor reaches the checkout form. */
const form = 'src/web/landing/checkout/checkout-hydration.tsx';
const protectedLayout = 'src/web/app/shell/protected-layout.tsx';
const workspaceLayout = 'src/web/app/shell/workspace-layout.tsx';
const overlays = 'src/web/ui/overlays/mantine-overlays.ts';
/** The screens that people open first. */
const mainScreens = [
	'login-screen',
	'dashboard-screen',
	'user-files-screen',
	'users-screen',
	'orders-screen',
	'reader-screens',
	'member-chat-screen',
	'course-screen',
	'account-screen',
];

/** Sets of screens whose common modules are large enough for a file of their own. */
const sharedFiles = [
	'dashboard-user-files',
	'dashboard-course',
	'dashboard-reader-course',
	'reader-course',
	'users-orders',
	'login-account',
	'reader-member-chat',
];

/**
 * Builds the scripts of the browser into `dist/web`: the workspace, the landing page and the order page.
 *
 * By default the bundler creates one file for each set of modules that several scripts share: 139 files for one screen,
 * most smaller than 1 KB, which compress worse and need more requests than a few larger files. Therefore a module is in
 * a file named for the screens of {@link mainScreens} that use it: `base` is used by the workspace and the landing page,
 * `react` by the workspace and the checkout form, `start` by all screens, `session` by most screens after the login, and
 * `orders` or `users-orders`, for example, by one or two. Modules that are also needed by a part of another screen,
 * loaded on demand, are in files of their own (`orders-parts`, `feature-mail`). `react` has every module of the form that
 * is not the landing page's own, so that the form loads none of the other files. Which parts a screen loads on demand is
 * in `ui/overlays/overlays-on-demand.tsx`.
 *
 * Measured, for the first visit: 161 KB of scripts (Brotli) in 9 files instead of 280 in 25 for the orders screen, 157
 * instead of 291 for the users screen, 133 instead of 262 for the login screen. Ten more files, each for another set of
 * screens, cost 6 KB: they compress worse and repeat the names of imports.
 */
export default defineConfig({
	plugins: [
		react(),
		contractPlugin(),
		messagesPlugin(),
		singleImportsPlugin(),
		smallPackagesPlugin(),
		pdfjsPlugin(),
		serviceWorkerPlugin(),
	],
	publicDir: 'src/web/public',
	build: {
		outDir: 'dist/web',
		emptyOutDir: true,
		manifest: true,
		target: 'es2022',
		assetsInlineLimit: 0,
		chunkSizeWarningLimit: 1500,
		rolldownOptions: {
			input: { workspace, landing, order },
			output: {
				codeSplitting: {
					groups: [{ name: chunkOf, includeDependenciesRecursively: false }],
				},
			},
		},
	},
});

/** Returns the chunk of a module; null if it is in the script that loads it. */
function chunkOf(id: string, context: Rolldown.ChunkingContext): string | null {
	const users = usersOf(id, context);
	const has = (file: string) => [...users].some((user) => user.endsWith(file));
	if (/\?copy$|\/contract\/(?:storefront\/content-fields|files\/spaces)\.ts$/u.test(id)) return 'schemas';
	if (has(workspace) && has(landing)) return 'base';
	if (has(form) && !id.includes('/src/web/landing/')) return 'react';
	const isOfLayouts = has(protectedLayout) || has(workspaceLayout);
	// No other file may import the entry and its list of screens: they contain the names of all files and change with each.
	if (has(workspace)) return id.endsWith(workspace) || id.endsWith(router) ? null : 'start';
	if (has('/login-screen.tsx') && isOfLayouts) return 'start';
	const isLoadedAlone = users.has(id) && context.getModuleInfo(id)?.importers.length === 0;
	if (isLoadedAlone && !isOfLayouts && !/-screens?\.tsx$/u.test(id)) return null;
	const screens = mainScreensIn(users);
	if (isOfLayouts) return 'session';
	if (screens.length > 3) return screens.includes('login-screen') ? 'start' : 'session';
	if (screens.length > 0 && has(overlays)) return 'overlays';
	if (screens.length === 0) {
		const feature = /\/features\/([^/]+)\//u.exec(id)?.[1];
		return users.size > 2 && feature !== undefined ? `feature-${feature}` : null;
	}
	const name = screens.map((screen) => screen.replace(/-screens?$/u, '')).join('-');
	if (screens.length > 1)
		return sharedFiles.includes(name) ? name : screens.includes('login-screen') ? 'start' : 'session';
	// A part that another screen loads on demand does not load the modules of this screen.
	const isOfOthers = [...users].some((user) => {
		const loaders = context.getModuleInfo(user)?.dynamicImporters ?? [];
		const loading = new Set(loaders.flatMap((loader) => [...usersOf(loader, context)]));
		return mainScreensIn(loading).some((screen) => !screens.includes(screen));
	});
	return isOfOthers ? `${name}-parts` : name;
}

function mainScreensIn(users: ReadonlySet<string>): string[] {
	return mainScreens.filter((screen) => [...users].some((user) => user.endsWith(`/${screen}.tsx`)));
}

/** Returns the entries and the dynamically imported modules that reach a module by static imports. */
function usersOf(id: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
	const users = new Set<string>();
	const seen = new Set<string>();
	const visit = (module: string) => {
		// This file exports every message, so that it tells nothing about their use.
		if (seen.has(module) || module.endsWith('/messages/_index.js')) return;
		seen.add(module);
		const info = context.getModuleInfo(module);
		if (info === null) return;
		if (info.isEntry || info.dynamicImporters.length > 0) users.add(module);
		for (const importer of info.importers) visit(importer);
	};
	visit(id);
	return users;
}
