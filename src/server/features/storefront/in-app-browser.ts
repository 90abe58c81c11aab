/** How the browsers inside other apps name themselves: Facebook and Messenger, Instagram, WhatsApp, LINE and so on. */
const apps =
	/\b(?:FBAN|FBAV|FB_IAB|Instagram|WhatsApp|Line|Snapchat|Pinterest|LinkedInApp|Twitter|TwitterAndroid|Telegram|MicroMessenger|musical_ly|BytedanceWebview|ShareChat|Moj)\b/u;
/** Android's WebView says so in any app (Chrome's notes on the WebView's user agent). */
const webView = /; wv\)/u;

/** Whether a page is read inside another app. A guess, and only ever for a hint. */
export function isInAppBrowser(userAgent: string | undefined): boolean {
	return userAgent !== undefined && (apps.test(userAgent) || webView.test(userAgent));
}
