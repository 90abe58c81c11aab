import type { ReactNode } from 'react';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Footer } from './footer.tsx';
import { localizedTitle } from './site-details.ts';
import { TopBar } from './top-bar.tsx';

interface PageFrameProps {
	props: Pick<LandingProps, 'locale' | 'book' | 'contact' | 'year'>;
	/** Of the page itself, for the way to the other language. */
	path: string;
	children: ReactNode;
}

/** Header and footer of every page of the storefront. */
export function PageFrame({ props, path, className, children }: PageFrameProps & { className?: string }) {
	const { locale, book, contact, year } = props;
	return (
		<>
			<a className="skip-link" href="#main">
				{m.landing_skip({}, { locale })}
			</a>
			<TopBar locale={locale} path={path} />
			<main id="main" className={className}>
				{children}
			</main>
			<Footer locale={locale} path={path} title={localizedTitle(locale, book)} year={year} contact={contact} />
		</>
	);
}

/** A page of one column below its heading, with the way back to the book. */
export function PlainPage({ props, path, heading, children }: PageFrameProps & { heading: string }) {
	return (
		<PageFrame props={props} path={path} className="page legal">
			<h1>{heading}</h1>
			{children}
			<p>
				<a href="/">{m.legal_back({}, { locale: props.locale })}</a>
			</p>
		</PageFrame>
	);
}
