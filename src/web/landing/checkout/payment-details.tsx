import { useState } from 'react';
import type { LandingProps, UpiPayment } from '#contract/storefront/landing.ts';
import { CheckIcon, CopyIcon, InfoIcon } from '../page/icons.tsx';
import type { CheckoutTexts } from './checkout-texts.ts';

type PaymentDetailsProps = Pick<LandingProps, 'book' | 'payment' | 'isInApp'> & { texts: CheckoutTexts };

const bankRows = ['name', 'accountNumber', 'ifsc', 'accountHolder'] as const;

/** Shows only the payment methods that the owner has set up, or a notice if there are none. */
export function PaymentDetails({ book, payment, isInApp, texts }: PaymentDetailsProps) {
	const rows = bankRows.filter((row) => book.bank[row].trim() !== '');
	const hasQr = payment !== null || book.qrCodeUrl !== null;
	const amount = (
		<CopyRow label={texts.amount} value={texts.price} copied={String(book.discountedPrice)} texts={texts} />
	);
	return (
		<section className="payment" aria-labelledby="payment-title">
			<h3 className="title" id="payment-title">
				{texts.pay}
			</h3>
			{isInApp && (
				<div className="note in-app">
					<InfoIcon />
					<p>{texts.inApp}</p>
				</div>
			)}
			{!hasQr && rows.length === 0 && (
				<div className="note">
					<InfoIcon />
					<p>
						<strong>{texts.noPaymentTitle}</strong>
						<br />
						{texts.noPaymentText}
						{texts.reach !== null && (
							<>
								{' '}
								{texts.noPaymentAsk} <a href={texts.reach.href}>{texts.reach.text}</a>
							</>
						)}
					</p>
				</div>
			)}
			{payment !== null && (
				<a className="button button-primary button-large pay-button" href={payment.link}>
					{texts.payNow}
				</a>
			)}
			{hasQr && <QrCard payment={payment} address={book.qrCodeUrl} texts={texts} />}
			{payment !== null && (
				<dl className="bank upi">
					<CopyRow label={texts.upiId} value={book.upi.id} texts={texts} />
					{amount}
				</dl>
			)}
			{rows.length > 0 && (
				<>
					<h4>{texts.bankTitle}</h4>
					<dl className="bank">
						{rows.map((row) => (
							<CopyRow key={row} label={texts.bank[row]} value={book.bank[row]} texts={texts} />
						))}
						{payment === null && amount}
					</dl>
					<div className="note">
						<InfoIcon />
						<p>{texts.bankNote}</p>
					</div>
				</>
			)}
		</section>
	);
}

interface QrCardProps {
	payment: UpiPayment | null;
	/** URL of the uploaded QR image, used if `payment` is null. */
	address: string | null;
	texts: CheckoutTexts;
}

function QrCard({ payment, address, texts }: QrCardProps) {
	return (
		<div className="qr">
			<div className="card qr-card">
				{payment === null ? (
					<img src={address ?? ''} alt={texts.qrAlt} width="178" height="178" />
				) : (
					<GeneratedQr {...payment.qr} label={texts.qrAlt} />
				)}
				<p className="qr-amount">{texts.price}</p>
			</div>
			<div className="qr-text">
				<h4>{texts.qrTitle}</h4>
				<p className="caption">{texts.qrText}</p>
			</div>
		</div>
	);
}

/** Width of the required white border in modules (ISO/IEC 18004). */
const quietZone = 4;

function GeneratedQr({ size, path, label }: UpiPayment['qr'] & { label: string }) {
	const side = size + 2 * quietZone;
	return (
		<svg
			className="qr-drawn"
			viewBox={`${-quietZone} ${-quietZone} ${side} ${side}`}
			role="img"
			aria-label={label}
			shapeRendering="crispEdges"
		>
			<path d={path} />
		</svg>
	);
}

interface CopyRowProps {
	label: string;
	value: string;
	/** Copied instead of `value`. */
	copied?: string;
	texts: CheckoutTexts;
}

function CopyRow({ label, value, copied = value, texts }: CopyRowProps) {
	const copyLabel = texts.copy.replace('{what}', label);
	const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle');
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(copied);
			setOutcome('copied');
		} catch {
			setOutcome('failed');
		}
		setTimeout(() => setOutcome('idle'), 4000);
	};
	return (
		<div className="bank-row">
			<dt className="caption">{label}</dt>
			<dd className="row">
				<span className="bank-value">{value}</span>
				<button type="button" className="icon-button copy-button" aria-label={copyLabel} onClick={copy}>
					{outcome === 'copied' ? (
						<span className="copied" aria-hidden="true">
							<CheckIcon size={18} /> {texts.copied}
						</span>
					) : (
						<CopyIcon />
					)}
				</button>
				<span className={outcome === 'failed' ? 'copy-failed' : 'unseen'} role="status">
					{outcome === 'copied' && texts.copied}
					{outcome === 'failed' && texts.copyFailed}
				</span>
			</dd>
		</div>
	);
}
