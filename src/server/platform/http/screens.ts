import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canSeeScreen, findScreen, fromMailParameter, twoFactorSetupPath } from '#contract/core/screens.ts';
import type { Locale } from '#contract/core/text.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { escapeHtml } from '../format.ts';
import { translate } from '../messages.ts';
import { siteIdentity } from '../site-identity.ts';
import { sendHtml } from './security-headers.ts';

/** Background colours of the page (`--paper`); a device also shows them around an installed app. */
const paper = { light: '#fbf8f1', dark: '#14120f' } as const;

export interface ShellAssets {
	scripts: string[];
	styles: string[];
	preloads: string[];
}

/** Registers the workspace's pages. `#contract/core/screens.ts` decides between HTML shell, redirect and 404. */
export function registerScreens(app: FastifyInstance, deps: Deps, assets: ShellAssets): void {
	app.get('/*', { config: { access: 'screen' } }, async (request, reply) => {
		const path = pathOf(request.url);
		if (isApiPath(path)) throw new AppError('NOT_FOUND');
		saveLocaleCookie(deps, request, reply);
		const screen = findScreen(path);
		if (screen === undefined) return sendShell(deps, request, reply, assets, 404);
		if (screen.role === 'public') return sendShell(deps, request, reply, assets, 200);
		if (request.session.state === 'inactive') {
			if (screen.path === '/dashboard') return reply.redirect('/login?reason=deactivated', 302);
			return sendShell(deps, request, reply, assets, 403);
		}
		const role = request.caller.actor?.role;
		if (request.session.state === 'expired' || (role === undefined && isFromMail(request.url)))
			return reply.redirect(`/login?back=${encodeURIComponent(request.url)}`, 302);
		if (role === undefined) {
			if (!isFromStorefront(request)) return reply.redirect(screen.anonymous ?? '/', 302);
			const reason = screen.path === '/contact' ? 'chat' : 'page';
			return reply.redirect(`/login?reason=${reason}&back=${encodeURIComponent(request.url)}`, 302);
		}
		if (request.caller.actor?.mustSetUpTwoFactor && screen.path !== twoFactorSetupPath)
			return reply.redirect(twoFactorSetupPath, 302);
		if (!canSeeScreen(screen, role)) return reply.redirect(screen.denied ?? '/unauthorized', 302);
		return sendShell(deps, request, reply, assets, 200);
	});
}

function isFromMail(url: string): boolean {
	return url
		.slice(url.indexOf('?') + 1)
		.split('&')
		.includes(fromMailParameter);
}

/**
 * Whether a visitor has followed a link of a storefront page: the chat link, which has a parameter, or a link that the
 * owner has written.
 */
function isFromStorefront({ query, headers, host }: FastifyRequest): boolean {
	if ((query as { from?: unknown }).from === 'page') return true;
	const page = URL.parse(headers.referer ?? '');
	return page?.host === host && (findScreen(page.pathname)?.path ?? '/') === '/';
}

/** Stores the language of `?lang= in a cookie, unless the page does not have this language. */
export function saveLocaleCookie(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	locale: Locale = request.caller.locale,
): void {
	if ((request.query as { lang?: unknown }).lang !== locale) return;
	reply.setCookie('lang', locale, {
		path: '/',
		sameSite: 'lax',
		secure: deps.config.isSecure,
		maxAge: 365 * 24 * 3600,
	});
}

/** Returns the path of a URL. `URL.parse('//admin', base)` would read `admin` as a host. */
function pathOf(url: string): string {
	return URL.parse(url.startsWith('/') ? `http://folio${url}` : url)?.pathname ?? '/';
}

/** Whether a path is one of the API or of files. If unknown, it gets a 404 in JSON instead of the HTML shell. */
function isApiPath(path: string): boolean {
	return path.startsWith('/api/') || path.startsWith('/assets/') || path.startsWith('/pdfjs/');
}

/** Returns the URL of the icon as a PNG with 180 pixels, because home screens of iOS do not show SVG. */
function appleTouchIcon(icon: string | null): string {
	if (icon === null) return '/apple-touch-icon.png';
	return icon.endsWith('.svg') ? icon.replace('.svg', '-180.png') : icon.replace(/\d+\.png$/u, '180.png');
}

/** Returns the page for a browser without JavaScript: it links to the book's page, and names how to reach the seller. */
function renderNoScript({ query, caller: { locale } }: FastifyRequest, { texts, contact }: SiteIdentity): string {
	const { reason } = query as { reason?: unknown };
	const lines = [
		reason === 'chat' || reason === 'page' ? translate(`account_${reason}_needs_login`, locale) : '',
		translate('noscript', locale, { name: texts[locale].wordmark }),
		contact.email === '' && contact.phone === '' ? '' : translate('account_chat_other_ways', locale),
		contact.email,
		contact.phone,
	];
	const paragraphs = lines.filter((line) => line !== '').map((line) => `<p>${escapeHtml(line)}</p>`);
	return `${paragraphs.join('')}<p><a href="/">${escapeHtml(translate('common_to_landing', locale))}</a></p>`;
}

async function sendShell(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	assets: ShellAssets,
	status: number,
) {
	const { locale } = request.caller;
	const identity = await siteIdentity()(deps);
	const { wordmark } = identity.texts[locale];
	const icon = identity.icon ?? '/favicon.svg';
	// Not cached, because securityHeaders() sets `no-store`.
	return sendHtml(
		reply,
		status,
		(nonce) => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="csp-nonce" content="${nonce}">
<meta name="time-zone" content="${deps.config.TIME_ZONE}">
<meta name="site" content="${escapeHtml(JSON.stringify(identity))}">
<title>${escapeHtml(wordmark)}</title>
<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${icon}">
<link rel="apple-touch-icon" href="${appleTouchIcon(identity.icon)}">
<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">
${assets.preloads.map((href) => `<link rel="modulepreload" href="${href}">`).join('\n')}
${assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${assets.scripts.map((src) => `<script type="module" src="${src}"></script>`).join('\n')}
</head>
<body><div id="root"></div><noscript>${renderNoScript(request, identity)}</noscript></body>
</html>
`,
	);
}
