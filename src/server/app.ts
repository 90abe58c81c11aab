import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { LandingAssets } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { accountRoutes } from './features/account/account.routes.ts';
import { registerArchive } from './features/archive/archive.routes.ts';
import { auditRoutes, registerAuditCsv } from './features/audit/audit.routes.ts';
import {
	cannedReplyRoutes,
	chatPersonRoutes,
	chatRoutes,
	registerChatFiles,
	registerReplyFiles,
} from './features/chat/chat.routes.ts';
import { courseRoutes } from './features/course/course.routes.ts';
import { credentialRoutes } from './features/credentials/credentials.routes.ts';
import { registerExport } from './features/export/export.routes.ts';
import { fileRoutes, registerFileBytes, registerThumbnails, spaceRoutes } from './features/files/files.routes.ts';
import { historyRoutes } from './features/history/history.routes.ts';
import { mailRoutes } from './features/mail/mail.routes.ts';
import {
	orderRoutes,
	registerOrdersCsv,
	registerProofImages,
	registerStatement,
} from './features/orders/orders.routes.ts';
import { outlinePairRoutes } from './features/outlines/outlines.routes.ts';
import { peopleRoutes } from './features/people/people.routes.ts';
import { registerAppManifest } from './features/reader/app-manifest.routes.ts';
import { bookGrantRoutes, readerRoutes, registerEditionBytes } from './features/reader/reader.routes.ts';
import { readingRoutes, readingStatsRoutes, registerReadingExport } from './features/reader/reading.routes.ts';
import { registerDeletion, removalRoutes } from './features/removal/removal.routes.ts';
import { sessionRoutes } from './features/sessions/sessions.routes.ts';
import { filmSettingsRoutes, registerFilms } from './features/settings/films.routes.ts';
import {
	contactInfoRoutes,
	dashboardRoutes,
	mailSettingsRoutes,
	registerQr,
	settingsRoutes,
	storefrontSettingsRoutes,
} from './features/settings/settings.routes.ts';
import { followShares } from './features/sharing/sharing.live.ts';
import { sharingRoutes } from './features/sharing/sharing.routes.ts';
import { registerFilmPages } from './features/storefront/film.routes.ts';
import { createLandingPage } from './features/storefront/landing-page.ts';
import { registerLegal } from './features/storefront/legal.routes.ts';
import { registerOrderPages } from './features/storefront/order-page.routes.ts';
import { registerSearch } from './features/storefront/search.routes.ts';
import { createShopPages } from './features/storefront/shop-pages.ts';
import { registerStorefront } from './features/storefront/storefront.routes.ts';
import { twoFactorRoutes } from './features/two-factor/two-factor.routes.ts';
import { registerUploads, uploadRoutes } from './features/uploads/uploads.routes.ts';
import { viewAsRoutes } from './features/view-as/view-as.routes.ts';
import { visitRoutes } from './features/visits/visits.routes.ts';
import { AppError } from './platform/app-error.ts';
import type { Deps } from './platform/deps.ts';
import { registerApi } from './platform/http/api.ts';
import { registerApiDocs } from './platform/http/api-docs.ts';
import { registerAssets } from './platform/http/assets.ts';
import { addErrorHandler, sendError } from './platform/http/errors.ts';
import { registerEventStream } from './platform/http/event-stream.ts';
import './platform/http/fastify.ts';
import { openFrontDoor } from './platform/http/front-door.ts';
import { addGuard } from './platform/http/guard.ts';
import { addSecurityHeaders, securityHeaders } from './platform/http/headers.ts';
import { loggedPath } from './platform/http/logged-path.ts';
import { registerOperations } from './platform/http/operations.ts';
import { readOwnFilms, registerOwnFilms } from './platform/http/own-films.ts';
import { registerScreens, type ShellAssets } from './platform/http/screens.ts';
import { version } from './platform/version.ts';

/** The browser's side as it was built; handed in, so that neither side imports the other. */
export interface WebParts extends StorefrontRenderers {
	/** Folder of the built files. */
	root: string;
	/** Folder of the product's own films. */
	films: string;
	shell: ShellAssets;
	landing: LandingAssets;
	/** What the page of an order runs. */
	orderScripts: string[];
}

/** Builds the whole HTTP side; it listens to nothing yet. */
export async function buildApp(deps: Deps, web: WebParts): Promise<FastifyInstance> {
	const app = Fastify({
		loggerInstance: deps.log as FastifyBaseLogger,
		logController: new LogController({ disableRequestLogging: true }),
		trustProxy: trustedProxies(deps.config.TRUST_PROXY),
		bodyLimit: 64 * 1024,
		requestTimeout: 0,
		connectionTimeout: 0,
		routerOptions: { maxParamLength: 2000 },
		forceCloseConnections: 'idle',
		// What comes on a connection that stands already is answered as ever; a proxy is told not to use it again.
		return503OnClosing: false,
		genReqId: () => crypto.randomUUID(),
		// An address that cannot be read never reaches a hook.
		frameworkErrors: (error, request, reply) => {
			reply.headers(securityHeaders(deps));
			sendError(deps, request, reply, error);
		},
	});
	// JSON only: plain text is nobody's form here.
	app.removeContentTypeParser('text/plain');
	await app.register(cookie);
	await app.register(multipart, { throwFileSizeLimit: true });
	addErrorHandler(app, deps);
	addSecurityHeaders(app, deps);
	addGuard(app, deps);
	app.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
		const { id: requestId, method } = request;
		deps.log.info({ requestId, method, path: loggedPath(request), status, ms: Math.round(elapsedTime) }, 'request');
	});

	const { countReady } = registerOperations(app, deps);
	registerApiDocs(app, version);
	registerApi(app, {
		account: accountRoutes(deps),
		sessions: sessionRoutes(deps),
		people: peopleRoutes(deps),
		history: historyRoutes(deps),
		removals: removalRoutes(deps),
		files: fileRoutes(deps),
		spaces: spaceRoutes(deps),
		uploads: uploadRoutes(deps),
		orders: orderRoutes(deps),
		bookSettings: settingsRoutes(deps),
		reader: readerRoutes(deps),
		bookGrants: bookGrantRoutes(deps),
		reading: readingRoutes(deps),
		readingStats: readingStatsRoutes(deps),
		outlinePairs: outlinePairRoutes(deps),
		mail: mailRoutes(deps),
		mailSettings: mailSettingsRoutes(deps),
		twoFactor: twoFactorRoutes(deps),
		viewAs: viewAsRoutes(deps),
		credentials: credentialRoutes(deps),
		audit: auditRoutes(deps),
		sharing: sharingRoutes(deps),
		course: courseRoutes(deps),
		dashboardSettings: dashboardRoutes(deps),
		contactInfo: contactInfoRoutes(deps),
		storefrontSettings: storefrontSettingsRoutes(deps),
		filmSettings: filmSettingsRoutes(deps),
		visits: visitRoutes(deps),
		chat: chatRoutes(deps),
		chatPerson: chatPersonRoutes(deps),
		cannedReplies: cannedReplyRoutes(deps),
	});
	registerDeletion(app, deps);
	registerExport(app, deps);
	registerFileBytes(app, deps);
	registerThumbnails(app, deps);
	registerArchive(app, deps);
	registerUploads(app, deps);
	registerProofImages(app, deps);
	registerOrdersCsv(app, deps);
	registerStatement(app, deps);
	registerChatFiles(app, deps);
	registerReplyFiles(app, deps);
	registerQr(app, deps);
	registerFilms(app, deps);
	registerEditionBytes(app, deps);
	registerReadingExport(app, deps);
	registerAppManifest(app, deps);
	registerAuditCsv(app, deps);
	followShares(app, deps);
	registerEventStream(app, deps);
	const ownFilms = await readOwnFilms(web.films);
	const pages = createShopPages(deps);
	const landing = createLandingPage(deps, pages, web, ownFilms);
	registerStorefront(app, deps, landing);
	openFrontDoor(app, deps, {
		find: landing.find,
		tell: (handedOut) => {
			deps.log.info({ requestId: crypto.randomUUID(), method: 'GET', ...handedOut }, 'ready pages');
			countReady(handedOut);
		},
	});
	registerOrderPages(app, deps, web.renderOrderPage, { styles: web.landing.styles, scripts: web.orderScripts });
	registerLegal(app, deps, pages, web);
	registerFilmPages(app, deps, pages, web, ownFilms);
	registerSearch(app, deps);
	await registerAssets(app, web.root);
	registerOwnFilms(app, ownFilms);
	registerScreens(app, deps, web.shell);
	app.setNotFoundHandler(() => {
		throw new AppError('NOT_FOUND');
	});
	return app;
}

/** `TRUST_PROXY`: empty trusts nobody, a number counts hops, anything else is a list of addresses. */
function trustedProxies(setting: string): boolean | string | ((address: string, hop: number) => boolean) {
	if (setting === '' || setting === 'false') return false;
	if (setting === 'true') return true;
	if (!/^\d+$/u.test(setting)) return setting;
	return (_address, hop) => hop < Number(setting);
}
