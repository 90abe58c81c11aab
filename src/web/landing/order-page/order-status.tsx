import type { ReactNode } from 'react';
import { editionWording } from '#contract/book/editions.ts';
import type { CheckoutField } from '#contract/orders/checkout-form.ts';
import type { OrderForm, OrderReceiptPage, OrderStatusPage } from '#contract/orders/order-page.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { utrTexts } from '../checkout/checkout-texts.ts';
import { FieldError, ScreenshotInput, TextField } from '../checkout/text-field.tsx';
import { CheckIcon, InfoIcon } from '../page/icons.tsx';

interface StatusProps {
	page: OrderStatusPage;
}

interface OrderStatusProps extends StatusProps {
	/** Without a mail server, the seller sends the login. */
	sendsMail: boolean;
}

/** The status of an order, with forms for a new payment proof, a corrected email, and the login mail. */
export function OrderStatus({ page, sendsMail }: OrderStatusProps) {
	const isComplete = page.status === 'Complete';
	return (
		<>
			<section className="card order-card">
				<p className="caption">{m.order_page_order()}</p>
				<h1 className="order-code">{page.code}</h1>
				{page.isTest && <TestMark />}
				<p className={`order-state order-state-${page.status.toLowerCase()}`}>
					{isComplete ? <CheckIcon size={18} /> : <InfoIcon size={18} />}
					{isComplete ? m.order_page_complete() : m.order_page_pending()}
				</p>
				<p>{isComplete ? m.order_page_complete_text() : m.order_page_pending_text()}</p>
				{page.done !== null && (
					<p className="order-done" id="done" role="status">
						<CheckIcon size={18} />
						<span>{doneText(page.done, sendsMail)}</span>
					</p>
				)}
				{page.note !== null && (
					<div className="order-note">
						<h2 className="title">{m.order_page_note()}</h2>
						<p>{page.note}</p>
					</div>
				)}
				<dl className="order-facts">
					<Fact label={orderItemText(page)} value={page.price} />
					<Fact label={m.order_page_received()} value={page.receivedAt} />
				</dl>
				{isComplete && (
					<p className="row order-actions">
						<a className="button button-primary button-large" href="/login">
							{m.order_page_read()}
						</a>
						<a className="button button-outline button-large" href={`${page.path}/receipt`}>
							{m.order_page_receipt()}
						</a>
					</p>
				)}
			</section>
			{!isComplete && <ProofForm page={page} />}
			{page.typed !== null && <SubmittedDetails typed={page.typed} />}
			{page.canCorrect && (
				<PostForm page={page} form="address" text={sendsMail ? undefined : m.order_page_address_text_without_mail()}>
					<TextField
						form="order"
						name="email"
						texts={{ label: m.order_page_address_field(), placeholder: '', hint: '' }}
						defaultValue={page.values.email}
						error={fieldErrors(page, 'address').email}
					/>
				</PostForm>
			)}
			{sendsMail ? (
				<PostForm
					page={page}
					form="login"
					text={page.typed === null ? undefined : m.order_page_login_text_to({ email: page.typed.email })}
				/>
			) : (
				<section className="card order-card" aria-labelledby="login-title">
					<h2 className="title" id="login-title">
						{m.order_page_login()}
					</h2>
					<p>{m.order_page_login_text_without_mail()}</p>
				</section>
			)}
			<p className="caption order-last">{m.order_page_last()}</p>
		</>
	);
}

function doneText(done: OrderForm, sendsMail: boolean): string {
	if (sendsMail || done === 'proof') return m[`order_page_done_${done}`]();
	return done === 'address' ? m.order_page_done_address_without_mail() : m.order_page_login_text_without_mail();
}

/** The line of an order and its receipt: `Build Your Empire, parts 1 and 2`. */
export function orderItemText({
	offered,
	title,
}: Pick<OrderStatusPage | OrderReceiptPage, 'offered' | 'title'>): string {
	return m.mail_order_item({ ...editionWording(offered, getLocale()), title });
}

/** Marks the order of a test purchase. */
export function TestMark() {
	return (
		<p className="order-state">
			<InfoIcon size={18} />
			{m.order_page_test()}
		</p>
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

interface PostFormProps extends StatusProps {
	form: OrderForm;
	title?: string | undefined;
	text?: string | undefined;
	isPrimary?: boolean;
	children?: ReactNode;
}

/** Works without JavaScript. Errors are shown at their field or above the button. */
function PostForm({ page, form, title, text, isPrimary = false, children }: PostFormProps) {
	const problem = page.refusal?.form === form ? problemText(page.refusal) : null;
	return (
		<section className="card order-card" id={form} aria-labelledby={`${form}-title`}>
			<h2 className="title" id={`${form}-title`}>
				{title ?? m[`order_page_${form}`]()}
			</h2>
			<p>{text ?? m[`order_page_${form}_text`]()}</p>
			<form method="post" action={`${page.path}/${form}#${form}`} encType="multipart/form-data" noValidate>
				{children}
				{problem !== null && <FieldError text={problem} className="form-problem" />}
				<button type="submit" className={`button button-large ${isPrimary ? 'button-primary' : 'button-outline'}`}>
					{m[`order_page_${form}_submit`]()}
				</button>
			</form>
		</section>
	);
}

/** After a rejected form, the buyer must choose the file again, because the browser loses it. */
function problemText({ form, message, errors }: NonNullable<OrderStatusPage['refusal']>): string | null {
	const mustChooseAgain = form === 'proof' && errors.screenshot === undefined;
	const chooseAgain = mustChooseAgain ? m.landing_checkout_choose_again() : '';
	const sentence = Object.keys(errors).length === 0 ? message : '';
	return `${sentence} ${chooseAgain}`.trim() || null;
}

function fieldErrors({ refusal }: OrderStatusPage, form: OrderForm): Partial<Record<CheckoutField, string>> {
	return refusal?.form === form ? refusal.errors : {};
}

function ProofForm({ page }: StatusProps) {
	const { utr, screenshot } = fieldErrors(page, 'proof');
	return (
		<PostForm
			page={page}
			form="proof"
			title={page.isProofWanted ? m.order_page_proof_wanted() : undefined}
			isPrimary={page.isProofWanted}
		>
			<div className="fields">
				<div className="field field-screenshot">
					<label htmlFor="order-screenshot">{m.landing_field_screenshot()}</label>
					<div className="row drop-box" data-preview={m.landing_screenshot_alt()}>
						<ScreenshotInput id="order-screenshot" error={screenshot} required />
						<label className="button button-default" htmlFor="order-screenshot">
							{m.order_page_screenshot_choose()}
						</label>
						<span className="fine drop-box-text" id="order-screenshot-hint">
							{m.order_page_screenshot_hint()}
						</span>
					</div>
					{screenshot && <FieldError id="order-screenshot-error" text={screenshot} />}
				</div>
				<TextField
					form="order"
					name="utr"
					texts={utrTexts(page.utrRequest)}
					defaultValue={page.values.utr}
					error={utr}
				/>
			</div>
		</PostForm>
	);
}

function SubmittedDetails({ typed }: { typed: NonNullable<OrderStatusPage['typed']> }) {
	return (
		<section className="card order-card" aria-labelledby="typed-title">
			<h2 className="title" id="typed-title">
				{m.order_page_typed()}
			</h2>
			<dl className="order-facts">
				<Fact label={m.landing_field_name()} value={typed.name} />
				<Fact label={m.landing_field_phone()} value={typed.phone} />
				<Fact label={m.landing_field_email()} value={typed.email} />
				<Fact label={m.landing_field_upi()} value={typed.upiId} />
				{typed.utr !== null && <Fact label={m.order_page_utr()} value={typed.utr} />}
				<Fact label={m.order_page_screenshots()} value={String(typed.proofCount)} />
			</dl>
		</section>
	);
}
