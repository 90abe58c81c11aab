import type { OrderPageProps, RenderOrderPage } from '#contract/orders/order-page.ts';
import { m } from '#messages';
import { contactLink } from '../page/footer.tsx';
import { Brand } from '../page/icons.tsx';
import { LanguageSwitch } from '../page/language.tsx';
import { renderDocument } from '../page/page-head.tsx';
import { OrderReceipt } from './order-receipt.tsx';
import { OrderStatus } from './order-status.tsx';

/** Renders the order's status, its receipt, or a notice that the link is invalid. */
export const renderOrderPage: RenderOrderPage = (props, assets) =>
	renderDocument({
		title: `${pageTitle(props)} – ${props.content.wordmark}`,
		content: props.content,
		assets,
		head: <meta name="robots" content="noindex, nofollow" />,
		bodyClass: 'order-body',
		body: <OrderPage props={props} />,
	});

function OrderPage({ props }: { props: OrderPageProps }) {
	const { page, content } = props;
	return (
		<>
			<header className="order-bar page row row-between">
				<a className="brand" href="/">
					<Brand content={content} />
				</a>
				<LanguageSwitch languages={content.languages} path={pagePath(page)} />
			</header>
			<main className="order-main page" id="main">
				{page.kind === 'status' && <OrderStatus page={page} sendsMail={props.contact.sendsMail} />}
				{page.kind === 'receipt' && (
					<OrderReceipt page={page} wordmark={content.wordmark} publicUrl={props.publicUrl} />
				)}
				{page.kind === 'gone' && <OrderGone />}
				{page.kind !== 'receipt' && <ContactHint props={props} />}
			</main>
		</>
	);
}

function pageTitle({ page }: OrderPageProps): string {
	if (page.kind === 'gone') return m.order_page_gone_title();
	if (page.kind === 'receipt') return m.order_page_receipt_of({ number: page.number });
	return m.order_page_title_of({ code: page.code });
}

/** For the language switch. The current URL may differ: a rejected form is shown at the path that it was posted to. */
function pagePath(page: OrderPageProps['page']): string {
	if (page.kind === 'gone') return '';
	return page.kind === 'receipt' ? `${page.path}/receipt` : page.path;
}

/** If the contact is an email address, the link sets a subject that contains the order's code. */
function ContactHint({ props: { contact, page } }: { props: OrderPageProps }) {
	const code = page.kind === 'status' ? page.code : '';
	const link = contactLink(contact, code === '' ? '' : m.order_page_title_of({ code }));
	if (link === null) return null;
	return (
		<p className="caption order-last">
			{code === '' ? m.order_page_ask() : m.order_page_ask_code({ code })} <a href={link.href}>{link.text}</a>
		</p>
	);
}

function OrderGone() {
	return (
		<section className="card order-card order-gone">
			<h1>{m.order_page_gone_title()}</h1>
			<p>{m.order_page_gone_text()}</p>
			<p className="row order-actions">
				<a className="button button-primary button-large" href="/#submit-details">
					{m.order_page_gone_form()}
				</a>
				<a className="button button-outline button-large" href="/login">
					{m.landing_nav_login()}
				</a>
			</p>
		</section>
	);
}
