import type { ReactNode } from 'react';
import type { LegalProps, PageProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { mailHref } from '../../platform/formats/contact-links.ts';
import { defaultLegalText } from '../../platform/formats/legal-text.ts';
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

export function LegalPage({ props, heading }: { props: LegalProps; heading: string }) {
	const { page, locale, book, content, contact, text } = props;
	const { template, bookTitle: title, excerpts } = content;
	const options = { locale, title, offered: book.offered, excerpts: excerpts.items.length, template };
	const { language, words } = text.words === '' ? { language: locale, words: defaultLegalText(page, options) } : text;
	return (
		<PlainPage props={props} path={`/${page}`} heading={heading}>
			{words.split(/\n\s*\n/u).map((paragraph, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two paragraphs may be equal.
				<p key={index} lang={language === locale ? undefined : language}>
					{paragraph}
				</p>
			))}
			{contact.email !== '' && (
				<p>
					{m.legal_ask()} <a href={mailHref(contact.email)}>{contact.email}</a>
				</p>
			)}
		</PlainPage>
	);
}
