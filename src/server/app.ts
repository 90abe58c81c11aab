import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { StorefrontRenderers } from '#contract/storefront/landing.ts';
import type { LandingAssets } from '#contract/storefront/page-content.ts';
import { accountRoutes, registerAccountDeletion } from './features/accounts/accounts.routes.ts';
import { auditRoutes, registerAuditCsv } from './features/audit/audit.routes.ts';
import {
	bookAccessRoutes,
	bookSettingsRoutes,
	chapterMatchingRoutes,
	registerEditionContent,
	registerPaymentQr,
	shelfRoutes,
} from './features/book/book.routes.ts';
import { readingRoutes, readingStatsRoutes, registerReadingExport } from './features/book/reading/reading.routes.ts';
import { bulkUserActionRoutes } from './features/bulk-actions/bulk-actions.routes.ts';
import {
	cannedReplyRoutes,
	chatRoutes,
	memberCardRoutes,
	registerCannedReplyFiles,
	registerChatFiles,
} from './features/chat/chat.routes.ts';
import { courseRoutes } from './features/course/course.routes.ts';
import { credentialRoutes } from './features/credentials/credentials.routes.ts';
import { fileRoutes, registerFileBytes, registerThumbnails, spaceRoutes } from './features/files/files.routes.ts';
import { registerUploads, uploadRoutes } from './features/files/uploads/uploads.routes.ts';
import { registerZipDownload } from './features/files/zip/zip.routes.ts';
import { mailRoutes, mailSettingsRoutes } from './features/mail/mail.routes.ts';
import { registerCheckout } from './features/orders/checkout/checkout.routes.ts';
import {
	orderRoutes,
	registerOrdersCsv,
	registerProofImages,
	registerStatementImport,
} from './features/orders/management/management.routes.ts';
import { registerOrderPages } from './features/orders/order-page/order-page.routes.ts';
import { registerTestMails, testPurchaseRoutes } from './features/orders/test-purchase/test-purchase.routes.ts';
import { contactInfoRoutes, dashboardRoutes } from './features/settings/settings.routes.ts';
import { firstStepRoutes } from './features/setup/setup.routes.ts';
import { notifyRecipientsOfChanges } from './features/sharing/recipients.ts';
import { sharingRoutes } from './features/sharing/sharing.routes.ts';
import { registerColorStylesheets } from './features/storefront/colors/colors-stylesheet.ts';
import { registerContentFiles } from './features/storefront/content-files/content-files.routes.ts';
import { getPublished } from './features/storefront/page-cache.ts';
import { registerAppManifest, registerSearchEngineFiles } from './features/storefront/site-files/site-files.routes.ts';
import { registerSocialPictures } from './features/storefront/site-files/social-picture.routes.ts';
import { storefrontContentRoutes, visitRoutes } from './features/storefront/storefront.routes.ts';
import { toPageProps } from './features/storefront/storefront-data.ts';
import {
	createLandingPage,
	registerDraftPreview,
	registerLegalPages,
	registerVideoPages,
} from './features/storefront/storefront-pages.routes.ts';
import { registerVideoUpload } from './features/storefront/videos/videos.routes.ts';
import { registerUserDataExport } from './features/user-data-export/user-data-export.routes.ts';
import { AppError } from './platform/app-error.ts';
import type { Deps } from './platform/deps.ts';
import { registerApi } from './platform/http/api.ts';
import { registerApiDocs } from './platform/http/api-docs.ts';
import { addErrorHandler, loggedPath, sendError } from './platform/http/errors.ts';
import { registerEventStream } from './platform/http/event-stream.ts';
import { registerStaticFiles } from './platform/http/static-files.ts';
import './platform/http/fastify-augmentation.ts';
import { createBuiltInVideos, registerBuiltInVideos } from './features/storefront/videos/built-in-videos.ts';
import { hasProxy, version } from './platform/config.ts';
import { addGuard } from './platform/http/guard.ts';
import { answerHeadRequests } from './platform/http/head-requests.ts';
import { registerHealthAndMetrics } from './platform/http/health-and-metrics.ts';
import { registerScreens, type ShellAssets } from './platform/http/screens.ts';
import { addSecurityHeaders, securityHeaders } from './platform/http/security-headers.ts';

/** Built files and renderers of the web app, passed as an argument so that the server does not import the web app. */
export interface WebParts extends StorefrontRenderers {
	builtFilesFolder: string;
	videosFolder: string;
	shell: ShellAssets;
	landing: LandingAssets;
	orderScripts: string[];
}

/** Creates the HTTP server with all routes, without listening on a port. */
export async function buildApp(deps: Deps, web: WebParts): Promise<FastifyInstance> {
	const app = Fastify({
		loggerInstance: deps.log as FastifyBaseLogger,
		logController: new LogController({ disableRequestLogging: true }),
		trustProxy: trustedProxies(deps.config.TRUST_PROXY),
		bodyLimit: 64 * 1024,
		// Fastify otherwise loads its schema compilers, which are not used: the contract's schemas check the input.
		schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
		exposeHeadRoutes: false,
		requestTimeout: 0,
		connectionTimeout: 0,
		routerOptions: { maxParamLength: 2000 },
		forceCloseConnections: 'idle',
		// While the server closes, requests on open connections are still answered, with `connection: close`.
		return503OnClosing: false,
		genReqId: () => crypto.randomUUID(),
		// No hook runs for a malformed URL, so the security headers are set here.
		frameworkErrors: (error, request, reply) => {
			reply.headers(securityHeaders(deps));
			sendError(deps, request, reply, error);
		},
	});
	app.removeContentTypeParser('text/plain');
	await app.register(cookie);
	await app.register(multipart, { throwFileSizeLimit: true });
	answerHeadRequests(app);
	addErrorHandler(app, deps);
	addSecurityHeaders(app, deps);
	addGuard(app, deps);
	app.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
		const { id: requestId, method } = request;
		deps.log.info({ requestId, method, path: loggedPath(request), status, ms: Math.round(elapsedTime) }, 'request');
	});

	registerHealthAndMetrics(app, deps);
	registerApiDocs(app, version);
	registerApi(app, {
		...accountRoutes(deps),
		bulkUserActions: bulkUserActionRoutes(deps),
		files: fileRoutes(deps),
		spaces: spaceRoutes(deps),
		uploads: uploadRoutes(deps),
		orders: orderRoutes(deps),
		bookSettings: bookSettingsRoutes(deps),
		reader: shelfRoutes(deps),
		bookGrants: bookAccessRoutes(deps),
		reading: readingRoutes(deps),
		readingStats: readingStatsRoutes(deps),
		outlinePairs: chapterMatchingRoutes(deps),
		mail: mailRoutes(deps),
		mailSettings: mailSettingsRoutes(deps),
		credentials: credentialRoutes(deps),
		audit: auditRoutes(deps),
		sharing: sharingRoutes(deps),
		course: courseRoutes(deps),
		dashboardSettings: dashboardRoutes(deps),
		contactInfo: contactInfoRoutes(deps),
		storefrontContent: storefrontContentRoutes(deps),
		visits: visitRoutes(deps),
		chat: chatRoutes(deps),
		chatPerson: memberCardRoutes(deps),
		cannedReplies: cannedReplyRoutes(deps),
		testPurchase: testPurchaseRoutes(deps),
		firstSteps: firstStepRoutes(deps),
	});
	registerAccountDeletion(app, deps);
	registerUserDataExport(app, deps);
	registerFileBytes(app, deps);
	registerThumbnails(app, deps);
	registerZipDownload(app, deps);
	registerUploads(app, deps);
	registerProofImages(app, deps);
	registerOrdersCsv(app, deps);
	registerStatementImport(app, deps);
	registerTestMails(app, deps);
	registerChatFiles(app, deps);
	registerCannedReplyFiles(app, deps);
	registerPaymentQr(app, deps);
	registerVideoUpload(app, deps);
	registerContentFiles(app, deps);
	registerEditionContent(app, deps);
	registerReadingExport(app, deps);
	registerAppManifest(app, deps);
	registerAuditCsv(app, deps);
	notifyRecipientsOfChanges(app, deps);
	registerEventStream(app, deps);
	const site = { ...web, builtInVideos: createBuiltInVideos(web.videosFolder) };
	registerCheckout(app, deps, createLandingPage(deps, site));
	registerOrderPages(app, deps, {
		render: web.renderOrderPage,
		assets: { styles: web.landing.styles, scripts: web.orderScripts },
		getSite: async (locale) => toPageProps((await getPublished(deps)).data, locale),
	});
	registerDraftPreview(app, deps, site);
	registerLegalPages(app, deps, site);
	registerColorStylesheets(app);
	registerSocialPictures(app, deps);
	registerVideoPages(app, deps, site);
	registerSearchEngineFiles(app, deps);
	await registerStaticFiles(app, web.builtFilesFolder);
	registerBuiltInVideos(app, site.builtInVideos);
	registerScreens(app, deps, web.shell);
	app.setNotFoundHandler(() => {
		throw new AppError('NOT_FOUND');
	});
	return app;
}

function refuseSchema(): never {
	throw new Error('A route cannot have a JSON schema.');
}

/** Parses `TRUST_PROXY`: empty or `false`, `true`, a number of trusted hops, or a list of trusted addresses. */
function trustedProxies(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
	if (!hasProxy({ TRUST_PROXY: setting })) return false;
	if (setting === 'true') return true;
	if (!/^\d+$/u.test(setting)) return setting;
	return (_address, hop) => hop < Number(setting);
}
