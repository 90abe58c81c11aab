import { expect, test } from 'vitest';
import { parseUserAgent } from './user-agent.ts';

const gecko = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** Lines with browser, system, kind of device and User-Agent. */
const devices = `
Chrome 131 | Windows | computer | Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${gecko} Chrome/131.0.0.0 Safari/537.36
Chrome 109 | Windows 7 | computer | Mozilla/5.0 (Windows NT 6.1; Win64; x64) ${gecko} Chrome/109.0.0.0 Safari/537.36
Edge 131 | Windows | computer | Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${gecko} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51
Firefox 132 | Windows | computer | Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0
Chrome 131 | macOS | computer | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${gecko} Chrome/131.0.0.0 Safari/537.36
Safari 17 | macOS | computer | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/17.6 Safari/605.1.15
Firefox 132 | Linux | computer | Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0
Chrome 130 | Linux | computer | Mozilla/5.0 (X11; Linux x86_64) ${gecko} Chrome/130.0.0.0 Safari/537.36
Chrome 130 | ChromeOS | computer | Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${gecko} Chrome/130.0.0.0 Safari/537.36
Chrome 131 | Android | phone | Mozilla/5.0 (Linux; Android 10; K) ${gecko} Chrome/131.0.0.0 Mobile Safari/537.36
Chrome 120 | Android 13 | phone | Mozilla/5.0 (Linux; Android 13; SM-A146B) ${gecko} Chrome/120.0.6099.144 Mobile Safari/537.36
Firefox 132 | Android 14 | phone | Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0
Samsung Internet 25 | Android | phone | Mozilla/5.0 (Linux; Android 10; K) ${gecko} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36
Samsung Internet 23 | Android 13 | tablet | Mozilla/5.0 (Linux; Android 13; SM-X200) ${gecko} SamsungBrowser/23.0 Chrome/115.0.0.0 Safari/537.36
UC Browser 13 | Android 12 | phone | Mozilla/5.0 (Linux; U; Android 12; en-US; RMX3085 Build/SP1A.210812.016) ${gecko} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.5.8.1311 Mobile Safari/537.36
WhatsApp | Android 14 | phone | Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A.240505.004; wv) ${gecko} Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 WhatsApp/2.24.10.85
Facebook | Android 13 | phone | Mozilla/5.0 (Linux; Android 13; SM-A146B Build/TP1A; wv) ${gecko} Version/4.0 Chrome/125.0.6422.53 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/466.1.0.54.85;]
WebView | Android 14 | phone | Mozilla/5.0 (Linux; Android 14; CPH2581 Build/UKQ1; wv) ${gecko} Version/4.0 Chrome/131.0.6778.39 Mobile Safari/537.36
Safari 17 | iOS 17 | phone | Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) ${webkit} Version/17.6 Mobile/15E148 Safari/604.1
Chrome 131 | iOS 17 | phone | Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} CriOS/131.0.6778.31 Mobile/15E148 Safari/604.1
Firefox 132 | iOS 17 | phone | Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} FxiOS/132.0 Mobile/15E148 Safari/605.1.15
Edge 131 | iOS 17 | phone | Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X) ${webkit} Version/17.0 EdgiOS/131.0.2903.61 Mobile/15E148 Safari/605.1.15
WhatsApp | iOS 17 | phone | Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} Mobile/15E148 WhatsApp/2.24.12.76
WebView | iOS 17 | phone | Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} Mobile/15E148
Safari 16 | iPadOS 16 | tablet | Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) ${webkit} Version/16.6 Mobile/15E148 Safari/604.1
WhatsApp | - | unknown | WhatsApp/2.24.10.85 A
`;

test.each(
	devices
		.trim()
		.split('\n')
		.map((line) => line.split(' | ')),
)('parseUserAgent recognises %s on %s, a %s', (browser, system, kind, userAgent = '') => {
	expect(parseUserAgent(userAgent)).toEqual({ browser, system: system === '-' ? null : system, kind });
});

test.each([
	'',
	'   ',
	'x',
	'curl/8.5.0',
	'<script>alert(1)</script>/1.0 (x)',
	'Your bank says: call 555 0100/9.0',
	'\u202eevil/1',
	'(((((((((((((((((',
	'a'.repeat(500),
])('parseUserAgent returns no part of the unknown user agent %j', (userAgent) => {
	expect(parseUserAgent(userAgent)).toEqual({ browser: null, system: null, kind: 'unknown' });
});
