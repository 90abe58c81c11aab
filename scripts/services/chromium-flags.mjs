/** Features that Playwright 1.65 disables. Chromium reads only the last `--disable-features`, so our list repeats them. */
const disabledByPlaywright = [
	'AvoidUnnecessaryBeforeUnloadCheckSync',
	'DestroyProfileOnBrowserClose',
	'HttpsUpgrades',
	'HttpsFirstBalancedModeAutoEnable',
	'LensOverlay',
	'MediaRouter',
	'PaintHolding',
	'ThirdPartyStoragePartitioning',
	'AvoidCorsURLLoaderRestartOnRedirect',
	'TcpPortRandomizationWin',
	'OptimizationHints',
	'NetworkTimeServiceQuerying',
	'AimEnabled',
	'PreconnectToSearch',
	'msForceBrowserSignIn',
	'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** Internal pages and a spare renderer, which each browser context starts again in 0.8 s of CPU time. */
const disabledByFolio = [
	'WebUIOmniboxPopup',
	'WebUIOmniboxAimPopup',
	'WebUIOmniboxFullPopup',
	'PreloadTopChromeWebUI',
	'SpareRendererForSitePerProcess',
];

/** Flags for every Chromium: no sandbox as root, no GPU or QUIC, no first-run pages, no background network requests. */
export const chromiumFlags = [
	...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	`--disable-features=${[...disabledByPlaywright, ...disabledByFolio].join(',')}`,
];
