import type { ReactNode } from 'react';
import type { Locale } from '#contract/core/text.ts';
import type { CheckoutField } from '#contract/orders/checkout-form.ts';
import type { OrderForm, OrderStatusPage } from '#contract/orders/order-page.ts';
import { m } from '#messages';
import { utrTexts } from '../checkout/checkout-texts.ts';
import { FieldError, ScreenshotInput, TextField } from '../checkout/text-field.tsx';
import { AlertIcon, CheckIcon, InfoIcon } from '../page/icons.tsx';
import { localizedTitle } from '../page/site-details.ts';

interface StatusProps {
	page: OrderStatusPage;
	locale: Locale;
}

/** The state of an order, and what its buyer can do about it. */
export function OrderStatus({ page, locale }: StatusProps) {
	const inLocale = { locale };
	const isComplete = page.status === 'Complete';
	return (
		<>
			<section className="card order-card">
				<p className="caption">{m.order_page_order({}, inLocale)}</p>
				<h1 className="order-code">{page.code}</h1>
				<p className={`order-state order-state-${page.status.toLowerCase()}`}>
					{isComplete ? <CheckIcon size={18} /> : <InfoIcon size={18} />}
					{isComplete ? m.order_page_complete({}, inLocale) : m.order_page_pending({}, inLocale)}
				</p>
				<p>{isComplete ? m.order_page_complete_text({}, inLocale) : m.order_page_pending_text({}, inLocale)}</p>
				<DoneMessage page={page} locale={locale} />
				{page.note !== null && (
					<div className="order-note">
						<h2 className="title">{m.order_page_note({}, inLocale)}</h2>
						<p>{page.note}</p>
					</div>
				)}
				<dl className="order-facts">
					<Fact label={m.mail_order_item({ title: localizedTitle(locale, page) }, inLocale)} value={page.price} />
					<Fact label={m.order_page_received({}, inLocale)} value={page.receivedAt} />
				</dl>
				{isComplete && (
					<p className="row order-actions">
						<a className="button button-primary button-large" href="/login">
							{m.order_page_read({}, inLocale)}
						</a>
						<a className="button button-outline button-large" href={`${page.path}/receipt`}>
							{m.order_page_receipt({}, inLocale)}
						</a>
					</p>
				)}
			</section>
			{!isComplete && <ProofForm page={page} locale={locale} />}
			{page.typed !== null && <SubmittedDetails typed={page.typed} locale={locale} />}
			{page.canCorrect && <AddressForm page={page} locale={locale} />}
			<LoginForm page={page} locale={locale} />
			<p className="caption order-last">{m.order_page_last({}, inLocale)}</p>
		</>
	);
}

export function Fact({ label, value }: { label: string; value: string }) {
	return (
		<div className="row row-between">
			<dt className="caption">{label}</dt>
			<dd>{value}</dd>
		</div>
	);
}

function DoneMessage({ page, locale }: StatusProps) {
	if (page.done === null) return null;
	const texts = {
		proof: m.order_page_done_proof,
		address: m.order_page_done_address,
		login: m.order_page_done_login,
	};
	return (
		<p className="order-done" id="done" role="status">
			<CheckIcon size={18} />
			<span>{texts[page.done]({}, { locale })}</span>
		</p>
	);
}

interface PostFormProps extends StatusProps {
	form: OrderForm;
	title: string;
	text: string;
	submit: string;
	isPrimary?: boolean;
	children?: ReactNode;
}

/** One form of the page, which works without script; errors are shown above its button, or at its field. */
function PostForm({ page, locale, form, title, text, submit, isPrimary = false, children }: PostFormProps) {
	const problem = page.refusal?.form === form ? problemText(page.refusal, locale) : null;
	return (
		<section className="card order-card" id={form} aria-labelledby={`${form}-title`}>
			<h2 className="title" id={`${form}-title`}>
				{title}
			</h2>
			<p>{text}</p>
			<form method="post" action={`${page.path}/${form}#${form}`} encType="multipart/form-data" noValidate>
				{children}
				{problem !== null && (
					<p className="field-error form-problem">
						<AlertIcon size={18} />
						<span>{problem}</span>
					</p>
				)}
				<button type="submit" className={`button button-large ${isPrimary ? 'button-primary' : 'button-outline'}`}>
					{submit}
				</button>
			</form>
		</section>
	);
}

/** The text above a refused form's button. No browser keeps a selected file: a valid one is asked for again. */
function problemText(
	{ form, message, errors }: NonNullable<OrderStatusPage['refusal']>,
	locale: Locale,
): string | null {
	const isChosenAgain = form === 'proof' && errors.screenshot === undefined;
	const chooseAgain = isChosenAgain ? m.landing_checkout_choose_again({}, { locale }) : '';
	const sentence = Object.keys(errors).length === 0 ? message : '';
	return `${sentence} ${chooseAgain}`.trim() || null;
}

/** The sentences beside the fields of a refused form. */
function fieldErrors({ refusal }: OrderStatusPage, form: OrderForm): Partial<Record<CheckoutField, string>> {
	return refusal?.form === form ? refusal.errors : {};
}

function ProofForm({ page, locale }: StatusProps) {
	const inLocale = { locale };
	const { utr, screenshot } = fieldErrors(page, 'proof');
	return (
		<PostForm
			page={page}
			locale={locale}
			form="proof"
			title={page.isProofWanted ? m.order_page_proof_wanted({}, inLocale) : m.order_page_proof({}, inLocale)}
			text={m.order_page_proof_text({}, inLocale)}
			submit={m.order_page_proof_submit({}, inLocale)}
			isPrimary={page.isProofWanted}
		>
			<div className="fields">
				<div className="field field-screenshot">
					<label htmlFor="order-screenshot">{m.landing_field_screenshot({}, inLocale)}</label>
					<div className="row drop-box" data-preview={m.landing_screenshot_alt({}, inLocale)}>
						<ScreenshotInput id="order-screenshot" error={screenshot} />
						<span className="fine drop-box-text" id="order-screenshot-hint">
							{m.order_page_screenshot_hint({}, inLocale)}
						</span>
					</div>
					{screenshot && <FieldError id="order-screenshot-error" text={screenshot} />}
				</div>
				<TextField form="order" name="utr" texts={utrTexts(locale)} defaultValue={page.values.utr} error={utr} />
			</div>
		</PostForm>
	);
}

function SubmittedDetails({ typed, locale }: { typed: NonNullable<OrderStatusPage['typed']>; locale: Locale }) {
	const inLocale = { locale };
	return (
		<section className="card order-card" aria-labelledby="typed-title">
			<h2 className="title" id="typed-title">
				{m.order_page_typed({}, inLocale)}
			</h2>
			<dl className="order-facts">
				<Fact label={m.landing_field_name({}, inLocale)} value={typed.name} />
				<Fact label={m.landing_field_phone({}, inLocale)} value={typed.phone} />
				<Fact label={m.landing_field_email({}, inLocale)} value={typed.email} />
				<Fact label={m.landing_field_upi({}, inLocale)} value={typed.upiId} />
				{typed.utr !== null && <Fact label={m.order_page_utr({}, inLocale)} value={typed.utr} />}
				<Fact label={m.order_page_screenshots({}, inLocale)} value={String(typed.proofCount)} />
			</dl>
		</section>
	);
}

function AddressForm({ page, locale }: StatusProps) {
	const inLocale = { locale };
	return (
		<PostForm
			page={page}
			locale={locale}
			form="address"
			title={m.order_page_address({}, inLocale)}
			text={m.order_page_address_text({}, inLocale)}
			submit={m.order_page_address_submit({}, inLocale)}
		>
			<TextField
				form="order"
				name="email"
				texts={{ label: m.order_page_address_field({}, inLocale), placeholder: '', hint: '' }}
				defaultValue={page.values.email}
				error={fieldErrors(page, 'address').email}
			/>
		</PostForm>
	);
}

function LoginForm({ page, locale }: StatusProps) {
	const inLocale = { locale };
	return (
		<PostForm
			page={page}
			locale={locale}
			form="login"
			title={m.order_page_login({}, inLocale)}
			text={
				page.typed === null
					? m.order_page_login_text({}, inLocale)
					: m.order_page_login_text_to({ email: page.typed.email }, inLocale)
			}
			submit={m.order_page_login_submit({}, inLocale)}
		/>
	);
}
