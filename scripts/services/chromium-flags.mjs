/** What Playwright 1.65 turns off itself: Chromium heeds the last list alone, so ours has to hold these too. */
const offByPlaywright = [
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

/**
 * Pages of the browser's own, behind its address bar, and a renderer in reserve: every context gets its own, which
 * takes 0.8 s of processor time, more than most journeys' own pages.
 */
const offByUs = [
	'WebUIOmniboxPopup',
	'WebUIOmniboxAimPopup',
	'WebUIOmniboxFullPopup',
	'PreloadTopChromeWebUI',
	'SpareRendererForSitePerProcess',
];

/** What every Chromium is started with: nothing that asks the network. */
export const offlineFlags = [
	...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** How journeys and pictures start Chromium: nothing that nobody looks at besides. */
export const chromiumFlags = [...offlineFlags, `--disable-features=${[...offByPlaywright, ...offByUs].join(',')}`];
