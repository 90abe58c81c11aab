import { type VisitEvent, type VisitNote, visitsPath } from '#contract/visits/visit-beacon.ts';

/**
 * Tells the server of the visit once the page has loaded and is seen, and when somebody begins to fill in the form
 * inside `island`. Silent, whatever comes of it.
 */
export function tellOfVisit(island: HTMLElement): void {
	if ((document as { prerendering?: boolean }).prerendering)
		document.addEventListener('prerenderingchange', tellWhenLoaded, { once: true });
	else tellWhenLoaded();
	island.addEventListener('input', () => tell('form'), { once: true });
}

function tellWhenLoaded(): void {
	if (document.readyState === 'complete') tell('visit');
	else addEventListener('load', () => tell('visit'), { once: true });
}

/** Outlives the page: whoever leaves at once was here too. */
function tell(event: VisitEvent): void {
	const page = document.documentElement.lang === 'hi' ? '/?lang=hi' : '/';
	const note: VisitNote = { event, page, referrer: foreignOrigin() };
	const headers = { 'content-type': 'application/json' };
	// An answer that nobody reads keeps its line open.
	fetch(visitsPath, { method: 'POST', keepalive: true, headers, body: JSON.stringify(note) })
		.then((answer) => answer.text())
		.catch(() => {});
}

/** The site alone, and nothing of its page or query. */
function foreignOrigin(): string {
	const origin = /^https?:\/\/[^/]+/u.exec(document.referrer)?.[0] ?? '';
	return origin === location.origin ? '' : origin;
}
