import { useCallback, useEffect, useRef, useState } from 'react';
import type { LandingForm, LandingProps, SubmittedOrder } from '#contract/storefront/landing.ts';
import { CheckIcon } from '../page/icons.tsx';
import { CheckoutForm } from './checkout-form.tsx';
import type { CheckoutTexts } from './checkout-texts.ts';
import { PaymentDetails } from './payment-details.tsx';
import { Toast, type ToastMessage } from './toast.tsx';

interface CheckoutIslandProps extends Pick<LandingProps, 'book' | 'form' | 'payment' | 'isInApp'> {
	texts: CheckoutTexts;
	/** Called when the form is interactive. */
	onReady?: () => void;
}

/** The only part of the page that is hydrated. */
export function CheckoutIsland({ form, texts, onReady, ...paymentProps }: CheckoutIslandProps) {
	const [isHydrated, setHydrated] = useState(false);
	const [isDone, setDone] = useState(form.outcome === 'done');
	const [order, setOrder] = useState(form.order ?? null);
	const [toast, setToast] = useState<ToastMessage | null>(null);
	useEffect(() => {
		setHydrated(true);
		onReady?.();
	}, [onReady]);

	const closeToast = useCallback(() => setToast(null), []);
	const showToast = (tone: ToastMessage['tone'], text: string) => setToast({ id: Date.now(), tone, text });

	return (
		<>
			<div className="purchase-halves">
				<PaymentDetails {...paymentProps} texts={texts} />
				<section className="submit" id="submit-details" aria-labelledby="submit-title">
					<h3 className="title" id="submit-title">
						{texts.submit}
					</h3>
					{isDone ? (
						<Confirmation
							texts={texts}
							form={form}
							order={order}
							isHydrated={isHydrated}
							onAgain={() => setDone(false)}
						/>
					) : (
						<CheckoutForm
							form={form}
							texts={texts}
							onDone={(message, submittedOrder) => {
								setOrder(submittedOrder);
								setDone(true);
								showToast('success', message);
							}}
							onFailed={(message) => showToast('failure', message)}
						/>
					)}
				</section>
			</div>
			<Toast message={toast} closeText={texts.toastClose} onClose={closeToast} />
		</>
	);
}

interface ConfirmationProps {
	texts: CheckoutTexts;
	form: LandingForm;
	order: SubmittedOrder | null;
	isHydrated: boolean;
	onAgain: () => void;
}

/** Replaces the form after sending. Without JavaScript there is no toast, so the message is shown here. */
function Confirmation({ texts, form, order, isHydrated, onAgain }: ConfirmationProps) {
	const card = useRef<HTMLDivElement>(null);
	const title = useRef<HTMLHeadingElement>(null);
	const wasSentByScript = useRef(isHydrated);
	useEffect(() => {
		if (!wasSentByScript.current) return;
		title.current?.focus({ preventScroll: true });
		// Below the toast, which must not cover the card.
		card.current?.scrollIntoView();
	}, []);
	return (
		<div ref={card} className="confirmation">
			<span className="centered confirmation-icon">
				<CheckIcon size={28} />
			</span>
			<h4 ref={title} tabIndex={-1}>
				{texts.doneTitle}
			</h4>
			{form.outcome === 'done' && <p className="confirmation-message">{form.message}</p>}
			{order !== null && order.code !== '' && (
				<p className="confirmation-code">
					{texts.doneCode} <strong>{order.code}</strong>
				</p>
			)}
			<p>{texts.doneText}</p>
			<p className="row confirmation-actions">
				{order !== null && (
					<a className="button button-primary" href={order.statusUrl}>
						{texts.doneStatus}
					</a>
				)}
				<a className="button button-outline" href="/login">
					{texts.doneLogin}
				</a>
				{isHydrated ? (
					<button type="button" className="button button-quiet" onClick={onAgain}>
						{texts.doneAgain}
					</button>
				) : (
					<a className="button button-quiet" href="/#submit-details">
						{texts.doneAgain}
					</a>
				)}
			</p>
		</div>
	);
}
