import type { ReactNode } from 'react';
import type { PageProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Footer } from './footer.tsx';
import { TopBar } from './top-bar.tsx';

interface PageFrameProps {
	props: PageProps;
	path: string;
	children: ReactNode;
}

export function PageFrame({ props, path, className, children }: PageFrameProps & { className?: string }) {
	return (
		<>
			<a className="skip-link" href="#main">
				{m.landing_skip()}
			</a>
			<TopBar path={path} content={props.content} />
			<main id="main" className={className}>
				{children}
			</main>
			<Footer path={path} props={props} />
		</>
	);
}

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
