import { useState } from 'react';
import type { Bank, PublicBook } from '#contract/settings/book-settings.ts';
import { CheckIcon, CopyIcon, InfoIcon } from '../icons.tsx';
import type { PurchaseTexts } from './purchase-texts.ts';

interface PaymentDetailsProps {
	book: Pick<PublicBook, 'bank' | 'qrCodeUrl'>;
	texts: PurchaseTexts;
	isLive: boolean;
}

const bankRows = ['name', 'accountNumber', 'ifsc', 'accountHolder'] as const;

/** How to pay: the QR card, the bank's rows that are set, or kind words when the owner has given neither. */
export function PaymentDetails({ book, texts, isLive }: PaymentDetailsProps) {
	const rows = bankRows.filter((row) => book.bank[row].trim() !== '');
	return (
		<section className="payment" aria-labelledby="payment-title">
			<h3 id="payment-title">{texts.pay}</h3>
			{book.qrCodeUrl === null && rows.length === 0 && (
				<div className="note">
					<InfoIcon />
					<p>
						<strong>{texts.noPaymentTitle}</strong>
						<br />
						{texts.noPaymentText}
					</p>
				</div>
			)}
			{book.qrCodeUrl !== null && <QrCard address={book.qrCodeUrl} texts={texts} />}
			{rows.length > 0 && (
				<>
					<h4>{texts.bankTitle}</h4>
					<dl className="bank">
						{rows.map((row) => (
							<BankRow key={row} row={row} value={book.bank[row]} texts={texts} isLive={isLive} />
						))}
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

function QrCard({ address, texts }: { address: string; texts: PurchaseTexts }) {
	return (
		<div className="qr">
			<div className="qr-card">
				<img src={address} alt={texts.qrAlt} width="178" height="178" />
				<p className="qr-amount">{texts.price}</p>
			</div>
			<div className="qr-words">
				<h4>{texts.qrTitle}</h4>
				<p>{texts.qrText}</p>
			</div>
		</div>
	);
}

interface BankRowProps {
	row: keyof Bank;
	value: string;
	texts: PurchaseTexts;
	isLive: boolean;
}

function BankRow({ row, value, texts, isLive }: BankRowProps) {
	const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle');
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(value);
			setOutcome('copied');
		} catch {
			setOutcome('failed');
		}
		setTimeout(() => setOutcome('idle'), 4000);
	};
	return (
		<div className="bank-row">
			<dt>{texts.bank[row]}</dt>
			<dd>
				<span className="bank-value">{value}</span>
				{isLive && (
					<button type="button" className="icon-button copy-button" aria-label={texts.copy[row]} onClick={copy}>
						{outcome === 'copied' ? (
							<span className="copied" aria-hidden="true">
								<CheckIcon size={18} /> {texts.copied}
							</span>
						) : (
							<CopyIcon />
						)}
					</button>
				)}
				<span className={outcome === 'failed' ? 'copy-failed' : 'unseen'} role="status">
					{outcome === 'copied' && texts.copied}
					{outcome === 'failed' && texts.copyFailed}
				</span>
			</dd>
		</div>
	);
}
