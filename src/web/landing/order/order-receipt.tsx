import type { Locale } from '#contract/storefront/landing.ts';
import type { OrderReceiptPage } from '#contract/storefront/order-page.ts';
import { m } from '#messages';
import { titleIn } from '../title.ts';

interface ReceiptProps {
	page: OrderReceiptPage;
	locale: Locale;
	publicUrl: string;
}

/** The receipt of an order that is Complete: on screen a card, on paper a sheet. */
export function OrderReceipt({ page, locale, publicUrl }: ReceiptProps) {
	const say = { locale };
	const rows = [
		[m.order_page_receipt_number({}, say), page.number],
		[m.order_page_receipt_buyer({}, say), page.name],
		[m.order_page_receipt_ordered({}, say), page.orderedAt],
		[m.order_page_receipt_paid({}, say), page.paidAt],
	] as const;
	return (
		<>
			<article className="order-card order-receipt">
				<h1>{m.order_page_receipt({}, say)}</h1>
				<p className="order-seller">{page.seller === '' ? m.brand({}, say) : page.seller}</p>
				<dl className="order-facts">
					{rows.map(([label, value]) => (
						<div key={label}>
							<dt>{label}</dt>
							<dd>{value}</dd>
						</div>
					))}
				</dl>
				<table className="order-lines">
					<thead>
						<tr>
							<th scope="col">{m.order_page_receipt_item({}, say)}</th>
							<th scope="col">{m.order_page_receipt_amount({}, say)}</th>
						</tr>
					</thead>
					<tbody>
						<tr>
							<td>{m.mail_order_item({ title: titleIn(locale, page) }, say)}</td>
							<td>{page.price}</td>
						</tr>
					</tbody>
					<tfoot>
						<tr>
							<th scope="row">{m.order_page_receipt_total({}, say)}</th>
							<td>{page.price}</td>
						</tr>
					</tfoot>
				</table>
				<p className="order-origin">{publicUrl}</p>
			</article>
			<p className="order-last order-screen-only">
				{m.order_page_receipt_print({}, say)} <a href={page.path}>{m.order_page_back({}, say)}</a>
			</p>
		</>
	);
}
