import type { ReactNode } from 'react';
import { legalPages, type PageProps } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { mailHref, phoneHref } from '../../platform/formats/contact-links.ts';
import { Brand } from './icons.tsx';
import { anchorPrefix } from './top-bar.tsx';

export function Footer({ path, props }: { path: string; props: PageProps }) {
	const { content, year, contact } = props;
	const title = content.bookTitle;
	const home = anchorPrefix(path);
	const phoneLink = phoneHref(contact.phone);
	return (
		<footer className="footer band" id="contact">
			<div className="page">
				<div className="footer-columns">
					<div>
						<p className="brand">
							<Brand content={content} />
						</p>
						{content.footer.text !== '' && <p className="footer-text">{content.footer.text}</p>}
					</div>
					{contact.socialLinks.length > 0 ? (
						<Links title={m.footer_follow()}>
							{contact.socialLinks.map(({ label, url }, index) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two links may be equal.
								<Link key={index} href={url} rel="me noopener" text={label} />
							))}
						</Links>
					) : (
						<Links title={m.landing_footer_book()}>
							<Link href={`${home}#book`} text={content.hero.callToAction} />
							{content.excerpts.items.length > 0 && <Link href={`${home}#read`} text={content.excerpts.heading} />}
							{content.benefits.items.length > 0 && <Link href={`${home}#gain`} text={content.benefits.name} />}
						</Links>
					)}
					<Links title={m.landing_footer_contact()}>
						<Link href={contact.chatUrl || '/contact?from=page'} text={m.landing_footer_chat()} />
						{contact.email !== '' && <Link href={mailHref(contact.email)} text={contact.email} />}
						{contact.phone !== '' &&
							(phoneLink === null ? <li>{contact.phone}</li> : <Link href={phoneLink} text={contact.phone} />)}
						<Link href={`${home}#submit-details`} text={m.landing_footer_resubmit()} />
						<li>
							{m.landing_footer_reply()}{' '}
							<a className="footer-inline" href="/login">
								{m.landing_nav_login()}
							</a>
						</li>
					</Links>
					<Links title={m.footer_legal()}>
						{legalPages.map((page) => (
							<Link key={page} href={`/${page}`} text={m[`legal_${page}`]()} />
						))}
					</Links>
				</div>
				<div className="row row-between footer-end">
					<p>{m.landing_copyright({ year, title })}</p>
					{content.footer.colophon !== '' && <p>{content.footer.colophon}</p>}
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

/** Returns a link to the seller's email address or, if it is unset, to the seller's chat; null if both are unset. */
export function contactLink({ email, chatUrl }: StorefrontContact, subject = '') {
	const subjectQuery = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (email !== '') return { href: `${mailHref(email)}${subjectQuery}`, text: email };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat() };
}
