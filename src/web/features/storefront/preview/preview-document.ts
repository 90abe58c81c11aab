import { draftPreviewPath } from '#contract/storefront/content.ts';

/** Whether the frame shows the storefront, and not an error of the server or the browser. */
export function isPage(page: Document | null | undefined): page is Document {
	return page?.querySelector('main') != null;
}

/** Scrolls the page in `frame` to an element. A dialog is opened by its address, as without scripts. */
export function revealElement(frame: HTMLIFrameElement, selector: string): void {
	const page = frame.contentDocument;
	const view = frame.contentWindow;
	const element = page?.querySelector(selector);
	if (page == null || view === null || element == null) return;
	if (element.matches('[role="dialog"], dialog')) {
		openFragment(frame, element.id);
		return;
	}
	if (page.querySelector(':target') !== null) openFragment(frame, 'main');
	// Not scrollIntoView, which would also scroll the editor.
	const padding = Number.parseFloat(view.getComputedStyle(page.documentElement).scrollPaddingTop) || 0;
	view.scrollTo({ top: view.scrollY + element.getBoundingClientRect().top - padding, behavior: 'instant' });
}

/** Shows another version of the page in the open document, which keeps its scroll position and its open dialog. */
export function replaceContent(frame: HTMLIFrameElement, html: string): void {
	const page = frame.contentDocument;
	const view = frame.contentWindow;
	if (page === null || view === null) return;
	const next = new DOMParser().parseFromString(html, 'text/html');
	const { scrollX, scrollY } = view;
	replaceStyles(page, next);
	page.title = next.title;
	page.documentElement.lang = next.documentElement.lang;
	page.body.className = next.body.className;
	replaceBody(page, next);
	preparePage(page);
	view.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
}

/** Keeps the element of the open dialog. Opening it again by its address would take the focus from the editor. */
function replaceBody(page: Document, next: Document): void {
	const dialog = page.querySelector(':target');
	const nextDialog = dialog && next.getElementById(dialog.id);
	if (dialog?.parentNode !== page.body || nextDialog?.parentNode !== next.body) {
		page.body.replaceChildren(...next.body.childNodes);
		return;
	}
	const { scrollTop } = dialog;
	for (const node of [...page.body.childNodes]) if (node !== dialog) node.remove();
	const nodes = [...next.body.childNodes];
	const position = nodes.indexOf(nextDialog);
	dialog.before(...nodes.slice(0, position));
	dialog.after(...nodes.slice(position + 1));
	dialog.replaceChildren(...nextDialog.childNodes);
	dialog.scrollTop = scrollTop;
}

/** Links to other pages open in a tab of their own, so that the preview stays. */
export function preparePage(page: Document): void {
	for (const link of page.querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="#"])')) {
		link.target = '_blank';
		// The published page would change the language of the browser.
		if (link.search.includes('lang=')) link.pathname = draftPreviewPath;
	}
	// Parts that the page lays out when they come into view would change its height while the preview scrolls.
	for (const part of page.querySelectorAll('.laid-out-later')) part.classList.remove('laid-out-later');
}

function replaceStyles(page: Document, next: Document): void {
	const hrefs = (document: Document) =>
		[...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map((link) => link.getAttribute('href'));
	const wanted = hrefs(next);
	for (const link of page.querySelectorAll('link[rel="stylesheet"]'))
		if (!wanted.includes(link.getAttribute('href'))) link.remove();
	const present = hrefs(page);
	for (const link of next.querySelectorAll('link[rel="stylesheet"]'))
		if (!present.includes(link.getAttribute('href'))) page.head.append(link);
}

function openFragment(frame: HTMLIFrameElement, id: string): void {
	const view = frame.contentWindow;
	if (view === null) return;
	// Not an assignment of the hash: it would add steps to the history of the editor.
	const url = new URL(view.location.href);
	url.hash = id;
	returnFocusOnce();
	view.location.replace(url);
}

/** A moment after a frame shows a fragment, Chromium moves the focus into it, and what is typed would be lost. */
function returnFocusOnce(): void {
	const waiting = new AbortController();
	let focused: HTMLElement | undefined;
	const onBlur = ({ target }: FocusEvent) => {
		if (target instanceof HTMLElement) {
			focused = target;
		} else if (document.activeElement instanceof HTMLIFrameElement) {
			waiting.abort();
			focused?.focus({ preventScroll: true });
		}
	};
	window.addEventListener('blur', onBlur, { capture: true, signal: waiting.signal });
	setTimeout(() => waiting.abort(), 1000);
}
