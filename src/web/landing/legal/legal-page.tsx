import type { LegalProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { mailHref } from '../../platform/formats/contact-links.ts';
import { PlainPage } from '../page/page-frame.tsx';
import type { LegalDocument } from '../page/site-details.ts';

export function LegalPage({ props, head }: { props: LegalProps; head: LegalDocument }) {
	const { page, locale, contact } = props;
	const { language, words: content } = props.text.words === '' ? { language: locale, words: head.text } : props.text;
	const paragraphs = content.split(/\n\s*\n/u);
	return (
		<PlainPage props={props} path={`/${page}`} heading={head.heading}>
			{paragraphs.map((paragraph, index) => (
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
