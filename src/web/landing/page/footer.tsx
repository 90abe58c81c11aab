import type { ReactNode } from 'react';
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
	const home = anchorPrefix(path);
	const phoneLink = phoneHref(contact.phone);
	return (
		<footer className="footer band" id="contact">
			<div className="page">
				<div className="footer-columns">
					<div>
						<p className="brand">
							<BrandMark />
							{m.brand({}, inLocale)}
						</p>
						<p className="footer-text">{m.landing_footer_text({ title }, inLocale)}</p>
					</div>
					{contact.socialLinks.length > 0 ? (
						<Links title={m.footer_follow({}, inLocale)}>
							{contact.socialLinks.map(({ label, url }, index) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: drawn once, and two links may be the same.
								<Link key={index} href={url} rel="me noopener" text={label} />
							))}
						</Links>
					) : (
						<Links title={m.landing_footer_book({}, inLocale)}>
							<Link href={`${home}#book`} text={m.landing_buy({}, inLocale)} />
							<Link href={`${home}#read`} text={m.landing_excerpts({}, inLocale)} />
							<Link href={`${home}#gain`} text={m.landing_nav_gain({}, inLocale)} />
						</Links>
					)}
					<Links title={m.landing_footer_contact({}, inLocale)}>
						<Link href={contact.chatUrl || '/contact'} text={m.landing_footer_chat({}, inLocale)} />
						{contact.email !== '' && <Link href={mailHref(contact.email)} text={contact.email} />}
						{contact.phone !== '' &&
							(phoneLink === null ? <li>{contact.phone}</li> : <Link href={phoneLink} text={contact.phone} />)}
						<Link href={`${home}#submit-details`} text={m.landing_footer_resubmit({}, inLocale)} />
						<li>
							{m.landing_footer_reply({}, inLocale)}{' '}
							<a className="footer-inline" href="/login">
								{m.landing_nav_login({}, inLocale)}
							</a>
						</li>
					</Links>
					<Links title={m.footer_legal({}, inLocale)}>
						{legalDocuments(locale, title).map(({ page, heading }) => (
							<Link key={page} href={`/${page}`} text={heading} />
						))}
					</Links>
				</div>
				<div className="row row-between footer-end">
					<p>{m.landing_copyright({ year, title }, inLocale)}</p>
					<p>{m.landing_colophon({}, inLocale)}</p>
				</div>
			</div>
		</footer>
	);
}

function Links({ title, children }: { title: string; children: ReactNode }) {
	return (
		<div>
			<h2>{title}</h2>
			<ul>{children}</ul>
		</div>
	);
}

function Link({ href, rel, text }: { href: string; rel?: string; text: string }) {
	return (
		<li>
			<a href={href} rel={rel}>
				{text}
			</a>
		</li>
	);
}
