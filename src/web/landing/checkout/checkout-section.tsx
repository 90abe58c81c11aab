import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { MixedText } from '../page/language.tsx';
import { Prices } from '../sections/hero.tsx';
import { CheckoutIsland } from './checkout-island.tsx';
import { checkoutIslandId } from './checkout-start.ts';
import { type CheckoutTexts, canPayByBank, canPayByQr } from './checkout-texts.ts';

export function CheckoutSection({ props, texts }: { props: LandingProps; texts: CheckoutTexts }) {
	const { book, content } = props;
	const { heading, lead, steps } = content.purchase;
	const textOf = (text: string, index: number) => text || (index === 0 ? paymentStepText(book, texts.price) : '');
	return (
		<section className="purchase laid-out-later" id="book" aria-labelledby="book-title">
			<div className="card purchase-card">
				<div className="purchase-head">
					<div>
						<h2 id="book-title">{heading}</h2>
						<p className="purchase-lead">
							<MixedText text={lead} />
						</p>
					</div>
					<p className="row purchase-price">
						<Prices book={book} first="original" />
					</p>
				</div>
				<ol className="numbered purchase-steps">
					{steps.map(({ title, text }, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two titles may be equal.
						<li key={index}>
							<strong>{title}</strong>
							<span className="caption">{textOf(text, index)}</span>
						</li>
					))}
				</ol>
				<div id={checkoutIslandId}>
					<CheckoutIsland {...props} texts={texts} />
				</div>
			</div>
		</section>
	);
}

/** Mentions only the payment methods that the owner has set up. */
function paymentStepText(book: LandingProps['book'], price: string): string {
	const hasBank = canPayByBank(book);
	if (canPayByQr(book) && hasBank) return m.landing_step_pay_text({ price });
	if (canPayByQr(book)) return m.landing_step_pay_text_qr({ price });
	if (hasBank) return m.landing_step_pay_text_bank({ price });
	return m.landing_step_pay_text_none({ price });
}
