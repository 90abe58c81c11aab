import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { qrUploadPath } from '#contract/book/book-settings.ts';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { sendBlob } from '../../platform/http/responses/send-bytes.ts';
import * as bookSettingsService from '../book/content/content.service.ts';
import { getMailSettingsForAdmin, saveMailSettings } from '../mail/mail-settings.ts';
import { getStorefront, saveStorefront } from '../storefront/storefront.service.ts';
import { getContactInfo, getDashboardSettings, saveContactInfo, saveDashboardSettings } from './site-settings.ts';

/** Book settings, for everybody and for the owner. */
export function bookSettingsRoutes(deps: Deps) {
	const os = implement(contract.bookSettings).$context<ApiContext>();
	return {
		publicBook: os.publicBook.handler(async () =>
			bookSettingsService.presentPublicBook(await bookSettingsService.getBook(deps, deps.db)),
		),
		get: os.get.handler(({ context }) => bookSettingsService.getBookForAdmin(deps, context.caller.locale)),
		editionPlaces: os.editionPlaces.handler(async () => ({
			items: await bookSettingsService.listEditionLocations(deps),
		})),
		save: os.save.handler(({ input, context }) => bookSettingsService.saveBook(deps, context.caller, input)),
	};
}

/** What the dashboard button opens. */
export function dashboardRoutes(deps: Deps) {
	const os = implement(contract.dashboardSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getDashboardSettings(deps.db)),
		save: os.save.handler(({ input, context }) => saveDashboardSettings(deps, context.caller, input)),
	};
}

/** How members reach the owner. */
export function contactInfoRoutes(deps: Deps) {
	const os = implement(contract.contactInfo).$context<ApiContext>();
	return {
		get: os.get.handler(() => getContactInfo(deps.db)),
		save: os.save.handler(({ input, context }) => saveContactInfo(deps, context.caller, input)),
	};
}

/** Mails to the owner, and the seller on receipts. */
export function mailSettingsRoutes(deps: Deps) {
	const os = implement(contract.mailSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getMailSettingsForAdmin(deps)),
		save: os.save.handler(({ input, context }) => {
			const { isOrderMailed, isChatMailed, orderMailTo, seller, version } = input;
			return saveMailSettings(deps, context.caller, { isOrderMailed, isChatMailed, orderMailTo, seller, version });
		}),
	};
}

/** Links, contact and fine print of the storefront. */
export function storefrontSettingsRoutes(deps: Deps) {
	const os = implement(contract.storefrontSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getStorefront(deps.db)),
		save: os.save.handler(({ input, context }) => saveStorefront(deps, context.caller, input)),
	};
}

/** The QR's upload (multipart, one file) and its picture. */
export function registerPaymentQr(app: FastifyInstance, deps: Deps): void {
	app.post(qrUploadPath, { config: { access: 'admin', isForm: true } }, async (request, reply) => {
		const file = await readSingleFile(request, reply, { maxBytes: limits.qrMaxBytes, code: 'QR_UPLOAD_FAILED' });
		return bookSettingsService.saveQr(deps, request.caller, file);
	});

	app.get<{ Params: { id: string } }>('/api/qr/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await bookSettingsService.getQrBlob(deps, request.params.id);
		return sendBlob(deps, request, reply, blob);
	});
}
