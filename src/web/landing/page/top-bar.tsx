import type { PageContent } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { Brand, CloseIcon, MenuIcon } from './icons.tsx';
import { LanguageSwitch } from './language.tsx';

interface TopBarProps {
	path: string;
	content: PageContent;
}

/** On a small screen, the links are in a menu that works without JavaScript. */
export function TopBar({ path, content }: TopBarProps) {
	return (
		<header className="top-bar" id="top">
			<div className="page bar top-bar-row">
				<a className="brand" href="/">
					<Brand content={content} />
				</a>
				<nav className="top-nav" aria-label={m.landing_nav()}>
					<Anchors path={path} content={content} />
				</nav>
				<LanguageSwitch path={path} languages={content.languages} />
				<a className="button button-outline top-login" href="/login">
					{m.landing_nav_login()}
				</a>
				<details className="menu">
					<summary className="centered" aria-label={m.landing_menu()}>
						<MenuIcon size={24} />
						<CloseIcon size={24} />
					</summary>
					<nav className="menu-panel" aria-label={m.landing_nav()}>
						<Anchors path={path} content={content} />
						<a className="menu-login" href="/login">
							{m.landing_nav_login()}
						</a>
					</nav>
				</details>
			</div>
		</header>
	);
}

function Anchors({ path, content }: TopBarProps) {
	const home = anchorPrefix(path);
	return (
		<>
			<a href={`${home}#book`}>{m.landing_nav_book()}</a>
			{content.benefits.items.length > 0 && <a href={`${home}#gain`}>{content.benefits.name}</a>}
			<a href="#contact">{m.landing_nav_contact()}</a>
		</>
	);
}

/** Returns the prefix of links to anchors of the landing page: '' on the landing page. */
export function anchorPrefix(path: string): string {
	return path === '/' ? '' : '/';
}
