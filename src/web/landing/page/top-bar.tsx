import type { Locale } from '#contract/core/text.ts';
import { m } from '#messages';
import { BrandMark, CloseIcon, MenuIcon } from './icons.tsx';
import { LanguageSwitch } from './language.tsx';
import { anchorPrefix } from './site-details.ts';

/** Fixed bar with the page's anchors, the language and Login; on a small screen a menu that opens without script. */
export function TopBar({ locale, path }: { locale: Locale; path: string }) {
	return (
		<header className="top-bar" id="top">
			<div className="page bar top-bar-row">
				<a className="brand" href="/">
					<BrandMark />
					{m.brand({}, { locale })}
				</a>
				<nav className="top-nav" aria-label={m.landing_nav({}, { locale })}>
					<Anchors locale={locale} path={path} />
				</nav>
				<LanguageSwitch locale={locale} path={path} />
				<a className="button button-outline top-login" href="/login">
					{m.landing_nav_login({}, { locale })}
				</a>
				<details className="menu">
					<summary className="centered" aria-label={m.landing_menu({}, { locale })}>
						<MenuIcon size={24} />
						<CloseIcon size={24} />
					</summary>
					<nav className="menu-panel" aria-label={m.landing_nav({}, { locale })}>
						<Anchors locale={locale} path={path} />
						<a className="menu-login" href="/login">
							{m.landing_nav_login({}, { locale })}
						</a>
					</nav>
				</details>
			</div>
		</header>
	);
}

function Anchors({ locale, path }: { locale: Locale; path: string }) {
	const home = anchorPrefix(path);
	return (
		<>
			<a href={`${home}#book`}>{m.landing_nav_book({}, { locale })}</a>
			<a href={`${home}#gain`}>{m.landing_nav_gain({}, { locale })}</a>
			<a href="#contact">{m.landing_nav_contact({}, { locale })}</a>
		</>
	);
}
