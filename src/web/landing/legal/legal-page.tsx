import type { LegalProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { Footer } from '../footer.tsx';
import { titleIn } from '../title.ts';
import { TopBar } from '../top-bar.tsx';
import type { LegalHead } from './legal-heads.ts';

/** A page of fine print, in the storefront's frame. */
export function LegalPage({ props, head }: { props: LegalProps; head: LegalHead }) {
	const { page, locale, book, contact, year } = props;
	const path = `/${page}`;
	const paragraphs = (props.text || head.text).split(/\n\s*\n/u);
	return (
		<>
			<a className="skip-link" href="#main">
				{m.landing_skip({}, { locale })}
			</a>
			<TopBar locale={locale} path={path} />
			<main id="main" className="page legal">
				<h1>{head.heading}</h1>
				{paragraphs.map((paragraph, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: drawn once, and two paragraphs may be the same.
					<p key={index}>{paragraph}</p>
				))}
				{contact.contactEmail !== '' && (
					<p>
						{m.legal_ask({}, { locale })} <a href={`mailto:${contact.contactEmail}`}>{contact.contactEmail}</a>
					</p>
				)}
				<p>
					<a href="/">{m.legal_back({}, { locale })}</a>
				</p>
			</main>
			<Footer locale={locale} path={path} title={titleIn(locale, book)} year={year} contact={contact} />
		</>
	);
}
