import { findScreen } from '#contract/core/screens.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { BrandMark } from './icons.tsx';

interface FooterProps {
	locale: Locale;
	title: string;
	year: number;
}

/** Where the page ends: what this is, its places again, and how to reach us. */
export function Footer({ locale, title, year }: FooterProps) {
	const say = { locale };
	const hasChat = findScreen('/contact')?.isBuilt === true;
	return (
		<footer className="footer" id="contact">
			<div className="page">
				<div className="footer-columns">
					<div className="footer-about">
						<p className="brand">
							<BrandMark />
							{m.brand({}, say)}
						</p>
						<p>{m.landing_footer_text({ title }, say)}</p>
					</div>
					<div>
						<h2>{m.landing_footer_book({}, say)}</h2>
						<ul>
							<li>
								<a href="#book">{m.landing_buy({}, say)}</a>
							</li>
							<li>
								<a href="#read">{m.landing_excerpts({}, say)}</a>
							</li>
							<li>
								<a href="#gain">{m.landing_nav_gain({}, say)}</a>
							</li>
						</ul>
					</div>
					<div>
						<h2>{m.landing_footer_contact({}, say)}</h2>
						<ul>
							{hasChat && (
								<li>
									<a href="/contact">{m.landing_footer_chat({}, say)}</a>
								</li>
							)}
							<li>
								<a href="#submit-details">{m.landing_footer_resubmit({}, say)}</a>
							</li>
							<li>
								{m.landing_footer_reply({}, say)}{' '}
								<a className="footer-inline" href="/login">
									{m.landing_nav_login({}, say)}
								</a>
							</li>
						</ul>
					</div>
				</div>
				<div className="footer-end">
					<p>{m.landing_copyright({ year, title }, say)}</p>
					<p>{m.landing_colophon({}, say)}</p>
				</div>
			</div>
		</footer>
	);
}
