import type { LandingProps, Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import { MixedText } from '../mixed-text.tsx';
import { Prices } from '../prices.tsx';
import { PurchaseIsland } from './purchase-island.tsx';
import { purchaseIslandId } from './purchase-start.ts';
import { canPayByBank, canPayByQr, type PurchaseTexts } from './purchase-texts.ts';

interface PurchaseSectionProps extends Pick<LandingProps, 'payment' | 'isInApp'> {
	locale: Locale;
	title: string;
	book: LandingProps['book'];
	form: LandingProps['form'];
	texts: PurchaseTexts;
}

/** The heart of the page: one card with title, prices, three steps, how to pay, and the form. */
export function PurchaseSection({ locale, title, book, form, payment, isInApp, texts }: PurchaseSectionProps) {
	const say = { locale };
	const steps = [
		{ title: m.landing_step_pay({}, say), text: payText(locale, book, texts.price) },
		{ title: m.landing_step_submit({}, say), text: m.landing_step_submit_text({}, say) },
		{ title: m.landing_step_login({}, say), text: m.landing_step_login_text({}, say) },
	];
	return (
		<section className="purchase laid-out-later" id="book" aria-labelledby="book-title">
			<div className="purchase-card">
				<div className="purchase-head">
					<div>
						<h2 id="book-title">{title}</h2>
						<p className="purchase-lead">
							<MixedText text={m.landing_book_lead({}, say)} locale={locale} />
						</p>
					</div>
					<p className="purchase-price">
						<Prices book={book} locale={locale} first="original" />
					</p>
				</div>
				<ol className="purchase-steps">
					{steps.map((step) => (
						<li key={step.title}>
							<strong>{step.title}</strong>
							<span>{step.text}</span>
						</li>
					))}
				</ol>
				<div id={purchaseIslandId}>
					<PurchaseIsland book={book} form={form} payment={payment} isInApp={isInApp} texts={texts} />
				</div>
			</div>
		</section>
	);
}

/** The first step names only the ways that the owner has opened. */
function payText(locale: Locale, book: LandingProps['book'], price: string): string {
	const hasBank = canPayByBank(book);
	if (canPayByQr(book) && hasBank) return m.landing_step_pay_text({ price }, { locale });
	if (canPayByQr(book)) return m.landing_step_pay_text_qr({ price }, { locale });
	if (hasBank) return m.landing_step_pay_text_bank({ price }, { locale });
	return m.landing_step_pay_text_none({ price }, { locale });
}
