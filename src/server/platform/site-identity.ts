import type { FastifyRequest } from 'fastify';
import { type Locale, locales } from '#contract/core/text.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { createRegistration, type Deps } from './deps.ts';

/** Returns the identity of the published storefront from memory. Registered by the storefront, a higher feature. */
export const siteIdentity = createRegistration<(deps: Deps) => Promise<SiteIdentity>>('site identity');

/**
 * Returns the language for a request: from `?lang=`, from the cookie, the browser's most preferred language of the
 * storefront, or the storefront's first. Signed-in users may choose any language of the workspace.
 */
export function chooseLocale(
	request: FastifyRequest,
	{ languages }: Pick<SiteIdentity, 'languages'>,
	isSignedIn = false,
): Locale {
	const findFirst = (wanted: unknown[], offered: readonly Locale[]) =>
		wanted.flatMap((lang) => offered.find((locale) => locale === lang) ?? [])[0];
	const chosen = [(request.query as { lang?: unknown } | undefined)?.lang, request.cookies.lang];
	return (
		findFirst(chosen, isSignedIn ? locales : languages) ??
		findFirst(acceptedLanguages(request.headers['accept-language']), languages) ??
		languages[0] ??
		'en'
	);
}

/** Returns the language for a page of the storefront: always one of its languages, also for signed-in users. */
export async function storefrontLocale(deps: Deps, request: FastifyRequest): Promise<Locale> {
	const identity = await siteIdentity()(deps);
	const { locale } = request.caller;
	return identity.languages.includes(locale) ? locale : chooseLocale(request, identity);
}

/** Returns the primary subtags of Accept-Language (RFC 9110, section 12.5.4), the preferred first. */
function acceptedLanguages(header: string | undefined): string[] {
	return (header ?? '')
		.slice(0, 500)
		.split(',')
		.map((entry) => {
			const [tag = '', ...parameters] = entry.split(';');
			const weight = parameters.map((text) => /^\s*q=([\d.]+)\s*$/u.exec(text)?.[1]).find(Boolean);
			return { language: tag.trim().toLowerCase().split('-')[0] ?? '', weight: Number(weight ?? 1) };
		})
		.filter(({ weight }) => weight > 0)
		.sort((a, b) => b.weight - a.weight)
		.map(({ language }) => language);
}
