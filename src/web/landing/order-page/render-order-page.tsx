import { renderToString } from 'react-dom/server';
import type { OrderPageProps, RenderOrderPage } from '#contract/orders/order-page.ts';
import { m } from '#messages';
import { BrandMark } from '../page/icons.tsx';
import { LanguageSwitch } from '../page/language.tsx';
import { contactLink } from '../page/site-details.ts';
import { OrderReceipt } from './order-receipt.tsx';
import { OrderStatus } from './order-status.tsx';

/** Draws the page behind an order's secret link: its status, its receipt, or kind words. */
export const renderOrderPage: RenderOrderPage = (props, assets) =>
	`<!doctype html>${renderToString(<OrderDocument props={props} assets={assets} />)}`;

function OrderDocument({ props, assets }: { props: OrderPageProps; assets: Parameters<RenderOrderPage>[1] }) {
	const { locale, page } = props;
	const brand = m.brand({}, { locale });
	return (
		<html lang={locale} data-theme="light">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="robots" content="noindex, nofollow" />
				<meta name="theme-color" content="#fbf8f1" />
				<title>{`${pageTitle(props)} – ${brand}`}</title>
				<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
				{assets.styles.map((href) => (
					<link key={href} rel="stylesheet" href={href} />
				))}
				{assets.scripts.map((src) => (
					<script key={src} type="module" src={src} />
				))}
			</head>
			<body className="order-body">
				<header className="order-bar page row row-between">
					<a className="brand" href="/">
						<BrandMark />
						{brand}
					</a>
					<LanguageSwitch locale={locale} path={pagePath(page)} />
				</header>
				<main className="order-main page" id="main">
					{page.kind === 'status' && <OrderStatus page={page} locale={locale} />}
					{page.kind === 'receipt' && <OrderReceipt page={page} locale={locale} publicUrl={props.publicUrl} />}
					{page.kind === 'gone' && <OrderGone locale={locale} />}
					{page.kind !== 'receipt' && <ContactHint props={props} />}
				</main>
			</body>
		</html>
	);
}

function pageTitle({ locale, page }: OrderPageProps): string {
	if (page.kind === 'gone') return m.order_page_gone_title({}, { locale });
	if (page.kind === 'receipt') return m.order_page_receipt_of({ number: page.number }, { locale });
	return m.order_page_title_of({ code: page.code }, { locale });
}

/** Where the page is when it is asked for: a refused form was drawn at another address. */
function pagePath(page: OrderPageProps['page']): string {
	if (page.kind === 'gone') return '';
	return page.kind === 'receipt' ? `${page.path}/receipt` : page.path;
}

/** Where to ask, with the order's code at hand. */
function ContactHint({ props: { locale, contact, page } }: { props: OrderPageProps }) {
	const inLocale = { locale };
	const code = page.kind === 'status' ? page.code : '';
	const link = contactLink(locale, contact, code === '' ? '' : m.order_page_title_of({ code }, inLocale));
	if (link === null) return null;
	return (
		<p className="caption order-last">
			{code === '' ? m.order_page_ask({}, inLocale) : m.order_page_ask_code({ code }, inLocale)}{' '}
			<a href={link.href}>{link.text}</a>
		</p>
	);
}

function OrderGone({ locale }: { locale: OrderPageProps['locale'] }) {
	const inLocale = { locale };
	return (
		<section className="card order-card order-gone">
			<h1>{m.order_page_gone_title({}, inLocale)}</h1>
			<p>{m.order_page_gone_text({}, inLocale)}</p>
			<p className="row order-actions">
				<a className="button button-primary button-large" href="/#submit-details">
					{m.order_page_gone_form({}, inLocale)}
				</a>
				<a className="button button-outline button-large" href="/login">
					{m.landing_nav_login({}, inLocale)}
				</a>
			</p>
		</section>
	);
}
