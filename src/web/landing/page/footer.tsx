import type { Locale } from '#contract/core/text.ts';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { mailHref, phoneHref } from '../../platform/formats/contact-links.ts';
import { legalDocuments } from '../legal/legal-documents.ts';
import { BrandMark } from './icons.tsx';
import { anchorPrefix } from './site-details.ts';

interface FooterProps {
	locale: Locale;
	/** The page that it ends. */
	path: string;
	title: string;
	year: number;
	contact: LandingProps['contact'];
}

/** Where each page ends: what this is, where the founder is found, how to reach us, the fine print. */
export function Footer({ locale, path, title, year, contact }: FooterProps) {
	const inLocale = { locale };
	return (
		<footer className="footer" id="contact">
			<div className="page">
				<div className="footer-columns">
					<div className="footer-about">
						<p className="brand">
							<BrandMark />
							{m.brand({}, inLocale)}
						</p>
						<p>{m.landing_footer_text({ title }, inLocale)}</p>
					</div>
					{contact.socialLinks.length > 0 ? (
						<SocialLinks locale={locale} links={contact.socialLinks} />
					) : (
						<PageLinks locale={locale} home={anchorPrefix(path)} />
					)}
					<ContactLinks locale={locale} home={anchorPrefix(path)} contact={contact} />
					<div>
						<h2>{m.footer_legal({}, inLocale)}</h2>
						<ul>
							{legalDocuments(locale, title).map(({ page, heading }) => (
								<li key={page}>
									<a href={`/${page}`}>{heading}</a>
								</li>
							))}
						</ul>
					</div>
				</div>
				<div className="footer-end">
					<p>{m.landing_copyright({ year, title }, inLocale)}</p>
					<p>{m.landing_colophon({}, inLocale)}</p>
				</div>
			</div>
		</footer>
	);
}

function SocialLinks({ locale, links }: { locale: Locale; links: LandingProps['contact']['socialLinks'] }) {
	return (
		<div>
			<h2>{m.footer_follow({}, { locale })}</h2>
			<ul>
				{links.map(({ label, url }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: drawn once, and two links may be the same.
					<li key={index}>
						<a href={url} rel="me noopener">
							{label}
						</a>
					</li>
				))}
			</ul>
		</div>
	);
}

function PageLinks({ locale, home }: { locale: Locale; home: string }) {
	const inLocale = { locale };
	return (
		<div>
			<h2>{m.landing_footer_book({}, inLocale)}</h2>
			<ul>
				<li>
					<a href={`${home}#book`}>{m.landing_buy({}, inLocale)}</a>
				</li>
				<li>
					<a href={`${home}#read`}>{m.landing_excerpts({}, inLocale)}</a>
				</li>
				<li>
					<a href={`${home}#gain`}>{m.landing_nav_gain({}, inLocale)}</a>
				</li>
			</ul>
		</div>
	);
}

function ContactLinks({ locale, home, contact }: { locale: Locale; home: string; contact: LandingProps['contact'] }) {
	const inLocale = { locale };
	const phoneLink = phoneHref(contact.phone);
	return (
		<div>
			<h2>{m.landing_footer_contact({}, inLocale)}</h2>
			<ul>
				<li>
					<a href={contact.chatUrl || '/contact'}>{m.landing_footer_chat({}, inLocale)}</a>
				</li>
				{contact.email !== '' && (
					<li>
						<a href={mailHref(contact.email)}>{contact.email}</a>
					</li>
				)}
				{contact.phone !== '' && (
					<li>{phoneLink === null ? contact.phone : <a href={phoneLink}>{contact.phone}</a>}</li>
				)}
				<li>
					<a href={`${home}#submit-details`}>{m.landing_footer_resubmit({}, inLocale)}</a>
				</li>
				<li>
					{m.landing_footer_reply({}, inLocale)}{' '}
					<a className="footer-inline" href="/login">
						{m.landing_nav_login({}, inLocale)}
					</a>
				</li>
			</ul>
		</div>
	);
}
