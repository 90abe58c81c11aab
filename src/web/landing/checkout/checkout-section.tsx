import type { Locale } from '#contract/core/text.ts';
import type { LandingProps } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { MixedText } from '../page/language.tsx';
import { Prices } from '../sections/prices.tsx';
import { CheckoutIsland } from './checkout-island.tsx';
import { checkoutIslandId } from './checkout-start.ts';
import { type CheckoutTexts, canPayByBank, canPayByQr } from './checkout-texts.ts';

interface CheckoutSectionProps extends Pick<LandingProps, 'locale' | 'book' | 'form' | 'payment' | 'isInApp'> {
	title: string;
	texts: CheckoutTexts;
}

/** The heart of the page: one card with title, prices, three steps, how to pay, and the form. */
export function CheckoutSection({ locale, title, book, form, payment, isInApp, texts }: CheckoutSectionProps) {
	const inLocale = { locale };
	const steps = [
		{ title: m.landing_step_pay({}, inLocale), text: paymentStepText(locale, book, texts.price) },
		{ title: m.landing_step_submit({}, inLocale), text: m.landing_step_submit_text({}, inLocale) },
		{ title: m.landing_step_login({}, inLocale), text: m.landing_step_login_text({}, inLocale) },
	];
	return (
		<section className="purchase laid-out-later" id="book" aria-labelledby="book-title">
			<div className="card purchase-card">
				<div className="purchase-head">
					<div>
						<h2 id="book-title">{title}</h2>
						<p className="purchase-lead">
							<MixedText text={m.landing_book_lead({}, inLocale)} locale={locale} />
						</p>
					</div>
					<p className="row purchase-price">
						<Prices book={book} locale={locale} first="original" />
					</p>
				</div>
				<ol className="numbered purchase-steps">
					{steps.map((step) => (
						<li key={step.title}>
							<strong>{step.title}</strong>
							<span className="caption">{step.text}</span>
						</li>
					))}
				</ol>
				<div id={checkoutIslandId}>
					<CheckoutIsland book={book} form={form} payment={payment} isInApp={isInApp} texts={texts} />
				</div>
			</div>
		</section>
	);
}

/** The first step names only the ways that the owner has opened. */
function paymentStepText(locale: Locale, book: LandingProps['book'], price: string): string {
	const hasBank = canPayByBank(book);
	if (canPayByQr(book) && hasBank) return m.landing_step_pay_text({ price }, { locale });
	if (canPayByQr(book)) return m.landing_step_pay_text_qr({ price }, { locale });
	if (hasBank) return m.landing_step_pay_text_bank({ price }, { locale });
	return m.landing_step_pay_text_none({ price }, { locale });
}
