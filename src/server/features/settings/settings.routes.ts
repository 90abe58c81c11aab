import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { qrUploadPath } from '#contract/settings/book-settings.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBlob } from '../../platform/http/bytes.ts';
import { readOneFile } from '../../platform/http/one-file.ts';
import { getContactInfo, saveContactInfo } from './contact-info.service.ts';
import { getDashboard, saveDashboard } from './dashboard.service.ts';
import { getMailSettingsForAdmin, saveMailSettings } from './mail-settings.service.ts';
import * as service from './settings.service.ts';
import { getStorefront, saveStorefront } from './storefront.service.ts';

/** Book settings, for everybody and for the owner. */
export function settingsRoutes(deps: Deps) {
	const os = implement(contract.bookSettings).$context<ApiContext>();
	return {
		publicBook: os.publicBook.handler(async () => service.presentPublicBook(await service.getBook(deps, deps.db))),
		get: os.get.handler(({ context }) => service.getBookForAdmin(deps, context.caller.locale)),
		editionPlaces: os.editionPlaces.handler(async () => ({ items: await service.listEditionPlaces(deps) })),
		save: os.save.handler(({ input, context }) => service.saveBook(deps, context.caller, input)),
	};
}

/** What the dashboard button opens. */
export function dashboardRoutes(deps: Deps) {
	const os = implement(contract.dashboardSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getDashboard(deps.db)),
		save: os.save.handler(({ input, context }) => saveDashboard(deps, context.caller, input)),
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
export function registerQr(app: FastifyInstance, deps: Deps): void {
	app.post(qrUploadPath, { config: { access: 'admin', isForm: true } }, async (request, reply) => {
		const file = await readOneFile(request, reply, { maxBytes: limits.qrMaxBytes, code: 'QR_UPLOAD_FAILED' });
		return service.saveQr(deps, request.caller, file);
	});

	app.get<{ Params: { id: string } }>('/api/qr/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await service.requireQrBlob(deps, request.params.id);
		return sendBlob(deps, request, reply, blob);
	});
}
