import type { FastifyRequest } from 'fastify';
import { type Locale, locales } from '#contract/core/text.ts';
import { createRegistration, type Deps } from './deps.ts';

/** How the site presents itself outside the storefront's pages too: in mails, the workspace, error pages and apps. */
export interface SiteIdentity {
	/** Languages for visitors, the first for those who prefer none of them. */
	languages: readonly Locale[];
	/** URL of the icon; null for the default book's. */
	icon: string | null;
	/** Whether drawings of the default book are shown. */
	hasDefaultDrawings: boolean;
	colors: { accent: string; ground: string; ink: string };
	/** Title of the book settings. */
	title: string;
	/** Uploaded covers by edition key. */
	covers: Readonly<Record<string, string>>;
	/** Number of excerpts on the landing page. */
	excerptCount: number;
	texts: Record<Locale, { wordmark: string; bookTitle: string; author: string }>;
}

/** The storefront registers where the identity comes from. Its answer is kept in memory. */
export const siteIdentity = createRegistration<(deps: Deps) => Promise<SiteIdentity>>('site identity');

/** Returns the title of an order or book in a language. A title that is no longer the book's is not translated. */
export function localizeTitle({ title, texts }: SiteIdentity, storedTitle: string, locale: Locale): string {
	return storedTitle === title ? texts[locale].bookTitle : storedTitle;
}

/**
 * Returns the language for a request: that of `?lang=`, of the cookie, the first of the browser that the storefront
 * has, or the storefront's first. Signed-in users may choose any language of the workspace.
 */
export function chooseLocale(
	request: FastifyRequest,
	{ languages }: Pick<SiteIdentity, 'languages'>,
	isSignedIn = false,
): Locale {
	const offered = isSignedIn ? locales : languages;
	const chosen = [(request.query as { lang?: unknown } | undefined)?.lang, request.cookies.lang];
	return (
		chosen.flatMap((lang) => offered.find((locale) => locale === lang) ?? [])[0] ??
		acceptedLanguages(request.headers['accept-language']).flatMap(
			(lang) => languages.find((locale) => locale === lang) ?? [],
		)[0] ??
		languages[0] ??
		'en'
	);
}

/** Returns the language for a page of the storefront, which signed-in users too can read only in its languages. */
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
