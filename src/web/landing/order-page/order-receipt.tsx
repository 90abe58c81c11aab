import type { Locale } from '#contract/core/text.ts';
import type { OrderReceiptPage } from '#contract/orders/order-page.ts';
import { m } from '#messages';
import { localizedTitle } from '../page/site-details.ts';
import { Fact } from './order-status.tsx';

interface ReceiptProps {
	page: OrderReceiptPage;
	locale: Locale;
	publicUrl: string;
}

/** The receipt of an order that is Complete: on screen a card, on paper a sheet. */
export function OrderReceipt({ page, locale, publicUrl }: ReceiptProps) {
	const inLocale = { locale };
	return (
		<>
			<article className="card order-card">
				<h1>{m.order_page_receipt({}, inLocale)}</h1>
				<p className="order-seller">{page.seller === '' ? m.brand({}, inLocale) : page.seller}</p>
				<dl className="order-facts">
					<Fact label={m.order_page_receipt_number({}, inLocale)} value={page.number} />
					<Fact label={m.order_page_receipt_buyer({}, inLocale)} value={page.name} />
					<Fact label={m.order_page_receipt_ordered({}, inLocale)} value={page.orderedAt} />
					<Fact label={m.order_page_receipt_paid({}, inLocale)} value={page.paidAt} />
				</dl>
				<table className="order-lines">
					<thead>
						<tr>
							<th className="fine" scope="col">
								{m.order_page_receipt_item({}, inLocale)}
							</th>
							<th className="fine" scope="col">
								{m.order_page_receipt_amount({}, inLocale)}
							</th>
						</tr>
					</thead>
					<tbody>
						<tr>
							<td>{m.mail_order_item({ title: localizedTitle(locale, page) }, inLocale)}</td>
							<td>{page.price}</td>
						</tr>
					</tbody>
					<tfoot>
						<tr>
							<th scope="row">{m.order_page_receipt_total({}, inLocale)}</th>
							<td>{page.price}</td>
						</tr>
					</tfoot>
				</table>
				<p className="fine order-origin">{publicUrl}</p>
			</article>
			<p className="caption order-last order-screen-only">
				{m.order_page_receipt_print({}, inLocale)} <a href={page.path}>{m.order_page_back({}, inLocale)}</a>
			</p>
		</>
	);
}
