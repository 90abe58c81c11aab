import { type VisitBeacon, type VisitEvent, visitsPath } from '#contract/storefront/landing.ts';

/** Reports a visit after loading, and the first input in `island`. A prerendered page waits until it is shown. */
export function reportVisit(island: HTMLElement): void {
	if ((document as { prerendering?: boolean }).prerendering)
		document.addEventListener('prerenderingchange', reportWhenLoaded, { once: true });
	else reportWhenLoaded();
	island.addEventListener('input', () => sendVisitEvent('form'), { once: true });
}

function reportWhenLoaded(): void {
	if (document.readyState === 'complete') sendVisitEvent('visit');
	else addEventListener('load', () => sendVisitEvent('visit'), { once: true });
}

/** With `keepalive`, the request is also sent if the visitor leaves immediately. */
function sendVisitEvent(event: VisitEvent): void {
	const page = document.documentElement.lang === 'hi' ? '/?lang=hi' : '/';
	const body: VisitBeacon = { event, page, referrer: referrerOrigin() };
	const headers = { 'content-type': 'application/json' };
	// An unread response would keep its connection open.
	fetch(visitsPath, { method: 'POST', keepalive: true, headers, body: JSON.stringify(body) })
		.then((answer) => answer.text())
		.catch(() => {});
}

/** Returns the origin of the referring site; '' if there is none or if it is this site. */
function referrerOrigin(): string {
	const origin = /^https?:\/\/[^/]+/u.exec(document.referrer)?.[0] ?? '';
	return origin === location.origin ? '' : origin;
}
