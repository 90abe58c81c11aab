import type { OrderReceiptPage } from '#contract/orders/order-page.ts';
import { m } from '#messages';
import { Fact, orderItemText, TestMark } from './order-status.tsx';

interface OrderReceiptProps {
	page: OrderReceiptPage;
	wordmark: string;
	publicUrl: string;
}

export function OrderReceipt({ page, wordmark, publicUrl }: OrderReceiptProps) {
	return (
		<>
			<article className="card order-card">
				<h1>{m.order_page_receipt()}</h1>
				{page.isTest && <TestMark />}
				<p className="order-seller">{page.seller === '' ? wordmark : page.seller}</p>
				<dl className="order-facts">
					<Fact label={m.order_page_receipt_number()} value={page.number} />
					<Fact label={m.order_page_receipt_buyer()} value={page.name} />
					<Fact label={m.order_page_receipt_ordered()} value={page.orderedAt} />
					<Fact label={m.order_page_receipt_paid()} value={page.paidAt} />
				</dl>
				<table className="order-lines">
					<thead>
						<tr>
							<th className="fine" scope="col">
								{m.order_page_receipt_item()}
							</th>
							<th className="fine" scope="col">
								{m.order_page_receipt_amount()}
							</th>
						</tr>
					</thead>
					<tbody>
						<tr>
							<td>{orderItemText(page)}</td>
							<td>{page.price}</td>
						</tr>
					</tbody>
					<tfoot>
						<tr>
							<th scope="row">{m.order_page_receipt_total()}</th>
							<td>{page.price}</td>
						</tr>
					</tfoot>
				</table>
				<p className="fine order-origin">{publicUrl}</p>
			</article>
			<p className="caption order-last order-screen-only">
				{m.order_page_receipt_print()} <a href={page.path}>{m.order_page_back()}</a>
			</p>
		</>
	);
}
