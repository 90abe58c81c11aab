import type { ReactNode } from 'react';
import type { Locale } from '#contract/storefront/landing.ts';
import type { OrderForm, OrderStatusPage } from '#contract/storefront/order-page.ts';
import type { PurchaseField } from '#contract/storefront/purchase-form.ts';
import { m } from '#messages';
import { AlertIcon, CheckIcon, InfoIcon } from '../icons.tsx';
import { utrTexts } from '../purchase/purchase-texts.ts';
import { FieldError, TextField } from '../purchase/text-field.tsx';
import { titleIn } from '../title.ts';

interface StatusProps {
	page: OrderStatusPage;
	locale: Locale;
}

/** Where an order stands, and what its buyer can do about it. */
export function OrderStatus({ page, locale }: StatusProps) {
	const say = { locale };
	const isComplete = page.status === 'Complete';
	return (
		<>
			<section className="order-card">
				<p className="order-eyebrow">{m.order_page_order({}, say)}</p>
				<h1 className="order-code">{page.code}</h1>
				<p className={`order-state order-state-${page.status.toLowerCase()}`}>
					{isComplete ? <CheckIcon size={18} /> : <InfoIcon size={18} />}
					{isComplete ? m.order_page_complete({}, say) : m.order_page_pending({}, say)}
				</p>
				<p>{isComplete ? m.order_page_complete_text({}, say) : m.order_page_pending_text({}, say)}</p>
				<Done page={page} locale={locale} />
				{page.note !== null && (
					<div className="order-note">
						<h2>{m.order_page_note({}, say)}</h2>
						<p>{page.note}</p>
					</div>
				)}
				<dl className="order-facts">
					<Fact label={m.mail_order_item({ title: titleIn(locale, page) }, say)} value={page.price} />
					<Fact label={m.order_page_received({}, say)} value={page.receivedAt} />
				</dl>
				{isComplete && (
					<p className="order-ways">
						<a className="button button-primary button-large" href="/login">
							{m.order_page_read({}, say)}
						</a>
						<a className="button button-outline button-large" href={`${page.path}/receipt`}>
							{m.order_page_receipt({}, say)}
						</a>
					</p>
				)}
			</section>
			{!isComplete && <ProofForm page={page} locale={locale} />}
			{page.typed !== null && <Typed typed={page.typed} locale={locale} />}
			{page.canCorrect && <AddressForm page={page} locale={locale} />}
			<LoginForm page={page} locale={locale} />
			<p className="order-last">{m.order_page_last({}, say)}</p>
		</>
	);
}

function Fact({ label, value }: { label: string; value: string }) {
	return (
		<div>
			<dt>{label}</dt>
			<dd>{value}</dd>
		</div>
	);
}

function Done({ page, locale }: StatusProps) {
	if (page.done === null) return null;
	const words = {
		proof: m.order_page_done_proof,
		address: m.order_page_done_address,
		login: m.order_page_done_login,
	};
	return (
		<p className="order-done" id="done" role="status">
			<CheckIcon size={18} />
			<span>{words[page.done]({}, { locale })}</span>
		</p>
	);
}

interface PostProps extends StatusProps {
	form: OrderForm;
	title: string;
	text: string;
	submit: string;
	isPrimary?: boolean;
	children?: ReactNode;
}

/** One form of the page, which a browser alone can post; why it was refused stands above its button, or at its field. */
function Post({ page, locale, form, title, text, submit, isPrimary = false, children }: PostProps) {
	const problem = page.refusal?.form === form ? problemOf(page.refusal, locale) : null;
	return (
		<section className="order-card" id={form} aria-labelledby={`${form}-title`}>
			<h2 id={`${form}-title`}>{title}</h2>
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

/** What stands above a refused form's button. No browser keeps a chosen file: where one was in order, it is asked for again. */
function problemOf({ form, message, errors }: NonNullable<OrderStatusPage['refusal']>, locale: Locale): string | null {
	const isChosenAgain = form === 'proof' && errors.screenshot === undefined;
	const chooseAgain = isChosenAgain ? m.landing_purchase_choose_again({}, { locale }) : '';
	const words = Object.keys(errors).length === 0 ? message : '';
	return `${words} ${chooseAgain}`.trim() || null;
}

/** The sentences beside the fields of a refused form. */
function errorsOf({ refusal }: OrderStatusPage, form: OrderForm): Partial<Record<PurchaseField, string>> {
	return refusal?.form === form ? refusal.errors : {};
}

function ProofForm({ page, locale }: StatusProps) {
	const say = { locale };
	const { utr, screenshot } = errorsOf(page, 'proof');
	return (
		<Post
			page={page}
			locale={locale}
			form="proof"
			title={page.isProofWanted ? m.order_page_proof_wanted({}, say) : m.order_page_proof({}, say)}
			text={m.order_page_proof_text({}, say)}
			submit={m.order_page_proof_submit({}, say)}
			isPrimary={page.isProofWanted}
		>
			<div className="fields">
				<div className="field field-screenshot">
					<label htmlFor="order-screenshot">{m.landing_field_screenshot({}, say)}</label>
					<div className="drop-box" data-preview={m.landing_screenshot_alt({}, say)}>
						<input
							id="order-screenshot"
							name="screenshot"
							type="file"
							accept="image/*"
							aria-invalid={screenshot ? true : undefined}
							aria-describedby={screenshot ? 'order-screenshot-error' : 'order-screenshot-hint'}
						/>
						<span className="drop-box-words" id="order-screenshot-hint">
							{m.order_page_screenshot_hint({}, say)}
						</span>
					</div>
					{screenshot && <FieldError id="order-screenshot-error" text={screenshot} />}
				</div>
				<TextField
					form="order"
					name="utr"
					type="text"
					autoComplete="off"
					isOptional
					texts={utrTexts(locale)}
					defaultValue={page.values.utr}
					error={utr}
				/>
			</div>
		</Post>
	);
}

function Typed({ typed, locale }: { typed: NonNullable<OrderStatusPage['typed']>; locale: Locale }) {
	const say = { locale };
	return (
		<section className="order-card" aria-labelledby="typed-title">
			<h2 id="typed-title">{m.order_page_typed({}, say)}</h2>
			<dl className="order-facts">
				<Fact label={m.landing_field_name({}, say)} value={typed.name} />
				<Fact label={m.landing_field_phone({}, say)} value={typed.phone} />
				<Fact label={m.landing_field_email({}, say)} value={typed.email} />
				<Fact label={m.landing_field_upi({}, say)} value={typed.upiId} />
				{typed.utr !== null && <Fact label={m.order_page_utr({}, say)} value={typed.utr} />}
				<Fact label={m.order_page_screenshots({}, say)} value={String(typed.proofCount)} />
			</dl>
		</section>
	);
}

function AddressForm({ page, locale }: StatusProps) {
	const say = { locale };
	return (
		<Post
			page={page}
			locale={locale}
			form="address"
			title={m.order_page_address({}, say)}
			text={m.order_page_address_text({}, say)}
			submit={m.order_page_address_submit({}, say)}
		>
			<TextField
				form="order"
				name="email"
				type="email"
				autoComplete="email"
				texts={{ label: m.order_page_address_field({}, say), placeholder: '', hint: '' }}
				defaultValue={page.values.email}
				error={errorsOf(page, 'address').email}
			/>
		</Post>
	);
}

function LoginForm({ page, locale }: StatusProps) {
	const say = { locale };
	return (
		<Post
			page={page}
			locale={locale}
			form="login"
			title={m.order_page_login({}, say)}
			text={
				page.typed === null
					? m.order_page_login_text({}, say)
					: m.order_page_login_text_to({ email: page.typed.email }, say)
			}
			submit={m.order_page_login_submit({}, say)}
		/>
	);
}
