import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '#contract/core/text.ts';
import { type OrderPageProps, orderForms, orderPathOf, type RenderOrderPage } from '#contract/orders/order-page.ts';
import type { LandingAssets } from '#contract/storefront/page-content.ts';
import { localizeTitle } from '#contract/storefront/site-identity.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { errorBodyOf } from '../../../platform/http/errors.ts';
import { saveLocaleCookie } from '../../../platform/http/screens.ts';
import { siteIdentity, storefrontLocale } from '../../../platform/site-identity.ts';
import { createEmptyForm, readForm, toCheckoutError } from '../checkout/checkout.routes.ts';
import {
	correctEmail,
	getOrderLink,
	presentReceipt,
	presentStatus,
	resendLoginLink,
	submitFurtherProof,
} from './order-page.service.ts';

interface OrderPageParts {
	render: RenderOrderPage;
	assets: Pick<LandingAssets, 'styles' | 'scripts'>;
	/** Returns what the page shows besides the order. */
	getSite: (locale: Locale) => Promise<Pick<OrderPageProps, 'content' | 'contact'>>;
}

type LinkRequest = FastifyRequest<{ Params: { token: string } }>;

/** Registers an order's secret page, receipt and forms, which work without JavaScript and are not cached or indexed. */
export function registerOrderPages(app: FastifyInstance, deps: Deps, { render, assets, getSite }: OrderPageParts) {
	const config = { access: 'public', hasSecretPath: true } as const;
	const send = async (request: FastifyRequest, reply: FastifyReply, status: number, page: OrderPageProps['page']) => {
		const { locale } = request.caller;
		const site = await getSite(locale);
		const identity = await siteIdentity()(deps);
		const shown = page.kind === 'gone' ? page : { ...page, title: localizeTitle(identity, page.title, locale) };
		reply
			.code(status)
			// With `no-referrer`, a browser would post the forms with the origin `null`, which is refused.
			.headers({ 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' })
			.type('text/html; charset=utf-8');
		return reply.send(render({ locale, publicUrl: deps.config.PUBLIC_URL, ...site, page: shown }, assets));
	};
	/** Sends a helpful page for an unknown link; rethrows the error for clients that do not accept HTML. */
	const sendGone = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
		const isGone = error instanceof AppError && error.code === 'NOT_FOUND';
		if (!isGone || request.headers.accept?.includes('text/html') !== true) throw error;
		return send(request, reply, error.status, { kind: 'gone' });
	};

	const registerPage = (path: string, present: (request: LinkRequest) => Promise<OrderPageProps['page']>) =>
		app.get(path, { config }, async (request: LinkRequest, reply) => {
			request.caller.locale = await storefrontLocale(deps, request);
			saveLocaleCookie(deps, request, reply);
			try {
				return await send(request, reply, 200, await present(request));
			} catch (error) {
				return sendGone(request, reply, error);
			}
		});

	registerPage('/order/:token', async ({ caller, params, query }) => {
		const facts = await presentStatus(deps, caller, params.token);
		const done = orderForms.find((form) => form === (query as { done?: unknown }).done) ?? null;
		return { ...facts, kind: 'status', done, refusal: null, values: { email: facts.typed?.email ?? '', utr: '' } };
	});
	registerPage('/order/:token/receipt', ({ caller, params }) => presentReceipt(deps, caller, params.token));

	for (const form of orderForms) {
		const formConfig = { ...config, isForm: true, checksOriginItself: true };
		app.post(`/order/:token/${form}`, { config: formConfig }, async (request: LinkRequest, reply) => {
			request.caller.locale = await storefrontLocale(deps, request);
			const { token } = request.params;
			const posted = createEmptyForm();
			try {
				await getOrderLink(deps, token);
				if (!request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
				await readForm(deps, request, reply, posted);
				if (form === 'proof') await submitFurtherProof(deps, request.caller, token, posted);
				if (form === 'address') await correctEmail(deps, request.caller, token, posted.values.email);
				if (form === 'login') await resendLoginLink(deps, request.caller, token);
				// The fragment makes the browser scroll to the confirmation instead of the form.
				return reply.redirect(`${orderPathOf(token)}?done=${form}#done`, 303);
			} catch (error) {
				const failure = toCheckoutError(error);
				if (failure.status === 404) return sendGone(request, reply, failure);
				if (failure.status >= 500) deps.log.error({ requestId: request.id, err: error }, 'order form failed');
				const body = errorBodyOf(failure, request.caller.locale);
				const facts = await presentStatus(deps, request.caller, token);
				return await send(request, reply, failure.status, {
					...facts,
					kind: 'status',
					done: null,
					refusal: { form, message: body.message, errors: body.fields ?? {} },
					values: {
						email: form === 'address' ? posted.values.email : (facts.typed?.email ?? ''),
						utr: posted.values.utr,
					},
				});
			}
		});
	}
}
