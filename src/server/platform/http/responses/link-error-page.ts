import type { FastifyReply, FastifyRequest } from 'fastify';
import { homePath } from '#contract/core/screens.ts';
import type { Locale } from '#contract/core/text.ts';
import type { AppError } from '../../app-error.ts';
import { escapeHtml } from '../../format.ts';
import { translate } from '../../messages.ts';
import { sendHtml } from '../security-headers.ts';

/** Whether a browser navigates to a route with `isLink`. For old browsers without Sec-Fetch-Mode, decides by Accept. */
export function isBrowserNavigation({ method, headers, routeOptions }: FastifyRequest): boolean {
	if (method !== 'GET' || routeOptions?.config?.isLink !== true) return false;
	const mode = headers['sec-fetch-mode'];
	return mode === undefined ? headers.accept?.includes('text/html') === true : mode === 'navigate';
}

/** Sends an HTML page without scripts: the reason why a link cannot be opened, and a link to another page. */
export function sendLinkErrorPage(request: FastifyRequest, reply: FastifyReply, failure: AppError): FastifyReply {
	const { actor, locale } = request.caller;
	const page = { locale, siteName: request.siteName, ...pageTextOf(failure, locale) };
	return sendHtml(reply, failure.status, (nonce) => renderPage(page, nextLinkOf(failure, actor?.role), nonce));
}

interface PageText {
	title: string;
	text: string;
}

function pageTextOf({ code, status, messageKey, params }: AppError, locale: Locale): PageText {
	if (status === 401)
		return { title: translate('error_unauthorized', locale), text: translate('error_link_signed_out', locale) };
	if (code === 'NOT_FOUND')
		return { title: translate('error_link_gone', locale), text: translate('error_link_gone_text', locale) };
	const title = translate(status === 403 ? 'error_link_forbidden' : 'error_link_failed', locale);
	return { title, text: translate(messageKey, locale, params) };
}

/** Returns the link on the page, with the message key of the link's label. */
function nextLinkOf({ status, code }: AppError, role: 'admin' | 'user' | undefined): { href: string; label: string } {
	if (status === 401 || code === 'ACCOUNT_INACTIVE') return { href: '/login', label: 'screen_login' };
	if (role === undefined) return { href: '/', label: 'common_to_landing' };
	return { href: homePath(role), label: 'common_to_home' };
}

function renderPage(
	{ title, text, locale, siteName }: PageText & { locale: Locale; siteName: string },
	link: { href: string; label: string },
	nonce: string,
) {
	const brand = escapeHtml(siteName);
	return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${brand}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body><main><p class="brand">${brand}</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><a href="${link.href}">${escapeHtml(translate(link.label, locale))}</a></main></body>
</html>
`;
}

/** Colours of the workspace. Without scripts, dark mode follows the system's preference, not the user's choice. */
const style = `
:root { --paper: #fbf8f1; --ink: #16130f; --muted: #6d6558; --fill: #f0a63a; --on-fill: #16130f; --ring: #945207; }
@media (prefers-color-scheme: dark) { :root { --paper: #14120f; --ink: #f4eee2; --muted: #a79d8c; --fill: #f2b04a; --ring: #f2b04a; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 Inter, Mukta, system-ui, sans-serif; }
main { box-sizing: border-box; min-height: 100dvh; max-width: 36rem; margin: 0 auto; padding: 2rem 1.5rem 15dvh; display: flex; flex-direction: column; justify-content: center; align-items: flex-start; }
.brand { margin: 0 0 1.5rem; color: var(--muted); font-weight: 600; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; }
p { margin: 0 0 1.75rem; color: var(--muted); }
a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 1.1rem; border-radius: 8px; background: var(--fill); color: var(--on-fill); font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
`;
