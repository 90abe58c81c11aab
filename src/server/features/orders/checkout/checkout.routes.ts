import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import type { Locale } from '#contract/core/text.ts';
import type { CheckoutAnswer } from '#contract/orders/checkout.ts';
import { checkoutFields, checkoutPath } from '#contract/orders/checkout-form.ts';
import { orderPathOf } from '#contract/orders/order-page.ts';
import { emptyLandingForm, type LandingForm } from '#contract/storefront/landing.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { errorBodyOf, toAppError } from '../../../platform/http/errors.ts';
import { requireOwnOrigin } from '../../../platform/http/own-origin.ts';
import { type PrerenderedPage, sendPrerenderedPage } from '../../../platform/http/responses/prerendered-page.ts';
import { saveLocaleCookie } from '../../../platform/http/screens.ts';
import { isInAppBrowser } from '../../../platform/http/user-agent.ts';
import { createMemoryBudget, type MemoryReservation } from '../../../platform/locking/memory-budget.ts';
import { translate } from '../../../platform/messages.ts';
import { storefrontLocale } from '../../../platform/site-identity.ts';
import { findSubmittedOrder } from '../order-page/order-page.service.ts';
import { type CheckoutForm, placeOrder } from './checkout.service.ts';

const doneMessageKey = 'checkout_done';
/** Cookie that passes the token of the status page to the confirmation page, once. */
const doneCookie = 'checkout_done';
const doneSeconds = 120;
const tokenPattern = /^[\w-]{43}$/u;
const maxFieldBytes = limits.textMaxLength * 4 + 4096;
/** Enough memory for six of the largest screenshots per client and 24 in all; enough time for slow connections. */
const formMemory = createMemoryBudget({
	perClientBytes: 64 * 1024 * 1024,
	totalBytes: 256 * 1024 * 1024,
	maxMinutes: 10,
});

export interface CheckoutPage {
	render(locale: Locale, form: LandingForm, isInApp: boolean): Promise<string>;
	getCached(locale: Locale, isInApp: boolean): Promise<PrerenderedPage>;
}

/** Registers the landing page and its form, which works with JavaScript (JSON) and without (HTML). */
export function registerCheckout(app: FastifyInstance, deps: Deps, landing: CheckoutPage): void {
	const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: deps.config.isSecure } as const;
	app.get('/', { config: { access: 'public' } }, async (request, reply) => {
		const locale = await storefrontLocale(deps, request);
		saveLocaleCookie(deps, request, reply, locale);
		const isInApp = isInAppBrowser(request.headers['user-agent']);
		const token = request.cookies[doneCookie];
		const isDone = token !== undefined && (request.query as { purchase?: unknown }).purchase === 'done';
		if (!isDone) return sendPrerenderedPage(request, reply, await landing.getCached(locale, isInApp));
		reply.clearCookie(doneCookie, cookie);
		const form: LandingForm = {
			...emptyLandingForm,
			outcome: 'done',
			message: translate(doneMessageKey, locale),
			order: tokenPattern.test(token) ? await findSubmittedOrder(deps, token) : null,
		};
		return sendPage(reply, 200, await landing.render(locale, form, isInApp));
	});

	app.post(
		checkoutPath,
		{ config: { access: 'public', isForm: true, checksOriginItself: true } },
		async (request, reply) => {
			const wantsJson = (request.headers.accept ?? '').includes('application/json');
			request.caller.locale = await storefrontLocale(deps, request);
			const { locale } = request.caller;
			if (!request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
			const form = createEmptyForm();
			let token: string;
			try {
				await readForm(deps, request, reply, form);
				token = await placeOrder(deps, request.caller, form);
			} catch (error) {
				if (wantsJson) throw toCheckoutError(error);
				return sendFailedPage(deps, request, reply, landing, form, error);
			}
			if (!wantsJson) {
				reply.setCookie(doneCookie, token, { ...cookie, maxAge: doneSeconds });
				return reply.redirect('/?purchase=done#submit-details', 303);
			}
			const order = (await findSubmittedOrder(deps, token)) ?? { statusUrl: orderPathOf(token), code: '' };
			const answer: CheckoutAnswer = { message: translate(doneMessageKey, locale), ...order };
			return reply.send(answer);
		},
	);
}

export function createEmptyForm(): CheckoutForm {
	return { values: { ...emptyLandingForm.values }, screenshot: null };
}

/** Converts an error for the buyer. An internal error becomes PURCHASE_FAILED. */
export function toCheckoutError(error: unknown): AppError {
	const failure = toAppError(error);
	return failure.code === 'INTERNAL' ? new AppError('PURCHASE_FAILED', { cause: error }) : failure;
}

async function sendFailedPage(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	landing: CheckoutPage,
	form: CheckoutForm,
	error: unknown,
): Promise<FastifyReply> {
	const failure = toCheckoutError(error);
	if (failure.status >= 500) deps.log.error({ requestId: request.id, err: error }, 'purchase failed');
	const { locale } = request.caller;
	const { message, fields = {} } = errorBodyOf(failure, locale);
	const failedForm: LandingForm = { values: form.values, errors: fields, outcome: 'failed', message };
	const html = await landing.render(locale, failedForm, isInAppBrowser(request.headers['user-agent']));
	return sendPage(reply, failure.status, html);
}

/** Sends a page with the visitor's own input or order, which must not be cached. */
function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
	return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}

/**
 * Reads a form, whose memory stays reserved until the response closes, and then checks its origin.
 * @throws AppError PURCHASE_INVALID, BUSY, WRONG_ORIGIN
 */
export async function readForm({ config }: Deps, request: FastifyRequest, reply: FastifyReply, form: CheckoutForm) {
	const reservation = formMemory.reserve(request.caller.ip, () => request.raw.destroy());
	reply.raw.once('close', reservation.release);
	try {
		await readParts(request, form, reservation);
		reservation.markComplete();
	} catch (error) {
		// The rest of the body is read and discarded, because a browser reads the response only after sending everything.
		request.raw.unpipe();
		request.raw.resume();
		// If a parser error has no status, the body is truncated or invalid.
		const hasStatus = error instanceof AppError || (error as { statusCode?: number }).statusCode !== undefined;
		throw hasStatus ? error : new AppError('PURCHASE_INVALID', { cause: error });
	}
	requireOwnOrigin(request, config);
}

/** Reads the parts into `form`. After an error, `form` has the fields that were read before it. */
async function readParts(request: FastifyRequest, form: CheckoutForm, reservation: MemoryReservation): Promise<void> {
	const parts = request.parts({
		limits: { fileSize: limits.screenshotMaxBytes, files: 1, fields: 20, fieldSize: maxFieldBytes, parts: 25 },
		throwFileSizeLimit: false,
	} as Parameters<FastifyRequest['parts']>[0]);
	for await (const part of parts) {
		if (part.type === 'file') {
			const bytes = await readFile(part.file, reservation);
			const isChosen = part.fieldname === 'screenshot' && (part.filename !== '' || bytes.length > 0);
			if (isChosen) form.screenshot = { name: part.filename, bytes, isTooLarge: part.file.truncated };
			continue;
		}
		// The parser keeps every field in memory, including unknown ones.
		if (typeof part.value === 'string') reservation.add(part.value.length);
		const field = checkoutFields.find((name) => name === part.fieldname);
		if (field !== undefined && field !== 'screenshot' && typeof part.value === 'string')
			form.values[field] = part.value;
	}
}

/** Reads the bytes of a file; returns an empty buffer for a file over the limit. */
async function readFile(file: AsyncIterable<Buffer> & { truncated: boolean }, reservation: MemoryReservation) {
	let chunks: Buffer[] = [];
	for await (const chunk of file) {
		reservation.add(chunk.length);
		chunks.push(chunk);
		if (file.truncated) chunks = [];
	}
	return file.truncated ? Buffer.alloc(0) : Buffer.concat(chunks);
}
