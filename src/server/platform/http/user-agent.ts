import Bowser from 'bowser';
import type { Device } from '#contract/core/common-fields.ts';

/** Apps that open links in a WebView and add their name to its User-Agent. */
const inAppBrowsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
	[/\bWhatsApp\b/u, 'WhatsApp'],
	[/\bInstagram\b/u, 'Instagram'],
	[/\bFB(?:AN|AV|_IAB)\b/u, 'Facebook'],
	[/\bTelegram\b/u, 'Telegram'],
];

/** Patterns for browsers that imitate another browser, whose version bowser would return. */
const versionPatterns: Readonly<Record<string, RegExp>> = { 'UC Browser': /UCBrowser\/(\d+)/u };

const shortNames: Readonly<Record<string, string>> = {
	'Samsung Internet for Android': 'Samsung Internet',
	'Microsoft Edge': 'Edge',
};

const kinds: Readonly<Record<string, Device['kind']>> = { mobile: 'phone', tablet: 'tablet', desktop: 'computer' };

/**
 * Returns browser, system and kind of device of a User-Agent. Only names that bowser knows are returned, because a
 * client can send any text. Only the first number of a version is returned, and none where browsers always send the
 * same version (Windows 10 and 11, macOS 10.15, Android 10 with the model 'K'; chromium.org, 'User-Agent Reduction').
 */
export function parseUserAgent(userAgent: string): Device {
	if (userAgent.trim() === '') return { browser: null, system: null, kind: 'unknown' };
	const parsed = Bowser.parse(userAgent);
	const system = nameSystem(userAgent, parsed.os);
	return {
		browser: nameBrowser(userAgent, parsed.browser, system),
		system,
		kind: kinds[parsed.platform.type ?? ''] ?? (system === 'ChromeOS' ? 'computer' : 'unknown'),
	};
}

function nameBrowser(userAgent: string, { name, version }: Bowser.Parser.Details, system: string | null) {
	const app = inAppBrowsers.find(([pattern]) => pattern.test(userAgent));
	if (app !== undefined) return app[1];
	// Another app's WebView: Android adds `wv`, and on iOS the `Safari` token is missing.
	if (webView.test(userAgent) || (system?.startsWith('iOS') && !/ Safari\//u.test(userAgent))) return 'WebView';
	if (name === undefined || !knownBrowsers.has(name)) return null;
	const majorVersion = versionPatterns[name]?.exec(userAgent)?.[1] ?? firstNumber(version);
	return withVersion(shortNames[name] ?? name, majorVersion);
}

function nameSystem(userAgent: string, { name, version, versionName }: Bowser.Parser.OSDetails): string | null {
	if (name === undefined || !knownSystems.has(name)) return null;
	if (name === 'Windows') return withVersion(name, /^(?:7|8|8\.1|XP|Vista)$/u.exec(versionName ?? '')?.[0]);
	if (name === 'macOS' || name === 'Linux') return name;
	if (name === 'Chrome OS') return 'ChromeOS';
	if (name === 'Android' && /; Android 10; K\b/u.test(userAgent)) return name;
	if (name === 'iOS' && /\biPad\b/u.test(userAgent)) return withVersion('iPadOS', firstNumber(version));
	return withVersion(name, firstNumber(version));
}

const knownBrowsers: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const knownSystems: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));

function firstNumber(version: string | undefined): string | undefined {
	return /^\d{1,4}/u.exec(version ?? '')?.[0];
}

function withVersion(name: string, version: string | undefined): string {
	return version === undefined ? name : `${name} ${version}`;
}

/** User-Agent tokens of browsers inside other apps: Facebook and Messenger, Instagram, WhatsApp, LINE and so on. */
const inAppBrowserNames =
	/\b(?:FBAN|FBAV|FB_IAB|Instagram|WhatsApp|Line|Snapchat|Pinterest|LinkedInApp|Twitter|TwitterAndroid|Telegram|MicroMessenger|musical_ly|BytedanceWebview|ShareChat|Moj)\b/u;
/** Android's WebView adds `wv` in every app (Chrome's documentation of the WebView's User-Agent). */
const webView = /; wv\)/u;

/** Guesses whether a page is open inside another app; used only to show a hint. */
export function isInAppBrowser(userAgent: string | undefined): boolean {
	return userAgent !== undefined && (inAppBrowserNames.test(userAgent) || webView.test(userAgent));
}
