import type { ReactNode } from 'react';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Footer } from './footer.tsx';
import { localizedTitle } from './site-details.ts';
import { TopBar } from './top-bar.tsx';

interface PageFrameProps {
	props: Pick<LandingProps, 'book' | 'contact' | 'year'>;
	/** Path of the page, for the language switch. */
	path: string;
	children: ReactNode;
}

/** Header and footer of every page of the storefront. */
export function PageFrame({ props, path, className, children }: PageFrameProps & { className?: string }) {
	const { book, contact, year } = props;
	return (
		<>
			<a className="skip-link" href="#main">
				{m.landing_skip()}
			</a>
			<TopBar path={path} />
			<main id="main" className={className}>
				{children}
			</main>
			<Footer path={path} title={localizedTitle(book)} year={year} contact={contact} />
		</>
	);
}

/** A single-column page with a heading and a link to the landing page. */
export function PlainPage({ props, path, heading, children }: PageFrameProps & { heading: string }) {
	return (
		<PageFrame props={props} path={path} className="page legal">
			<h1>{heading}</h1>
			{children}
			<p>
				<a href="/">{m.legal_back()}</a>
			</p>
		</PageFrame>
	);
}
