import { type Actor, actors } from './access-fixture.ts';
import type { AccessCalls } from './calls/access-call.ts';
import { adminCalls } from './calls/admin-calls.ts';
import { cannedReplyCalls } from './calls/canned-reply-calls.ts';
import { adminChatCalls, chatCalls, contactInfoCalls } from './calls/chat-calls.ts';
import { credentialCalls, credentialSearchCalls } from './calls/credential-calls.ts';
import { adminStorageCalls, fileWriteCalls } from './calls/file-calls.ts';
import { groupCalls } from './calls/group-calls.ts';
import { archiveCalls, editionContentCalls, memberCalls, readCalls } from './calls/member-calls.ts';
import { orderPageCalls } from './calls/order-page-calls.ts';
import { publicCalls } from './calls/public-calls.ts';
import { readingCalls, readingExportCalls, readingStatsCalls } from './calls/reading-calls.ts';
import { adminSessionCalls, ownSessionCalls } from './calls/session-calls.ts';
import { adminDashboardCalls, dashboardCalls, sharedWithMeCalls, sharingCalls } from './calls/sharing-calls.ts';
import { adminTwoFactorCalls, ownTwoFactorCalls } from './calls/two-factor-calls.ts';
import { uploadAndFolderCalls } from './calls/upload-and-folder-calls.ts';
import { adminVisitCalls, visitCalls } from './calls/visit-calls.ts';

/** ✓: allowed. 1: status 401. 3: status 403. 4: status 404, as for an unknown ID. –: not applicable. */
export type Outcome = '✓' | '1' | '3' | '4' | '–';

export interface AccessRow {
	call: string;
	/** One outcome for each actor, in the order of `actors`. */
	outcomes: string;
	/** The calls by route, such as `GET /path`. */
	calls: AccessCalls;
	/** Routes without an ID in the URL. They concern only the data of the caller, so outcome 4 does not apply. */
	ownOnly?: readonly string[];
}

/** The outcome of each call for each actor. */
export const accessTable: readonly AccessRow[] = [
	{
		call: 'landing, legal pages, video pages, book settings (public part), QR image, visit, purchase, sign-in/out, reset, credentials search',
		outcomes: '✓ ✓ ✓ – – – – ✓',
		calls: { ...publicCalls, ...credentialSearchCalls, ...visitCalls },
	},
	{
		call: 'list, read, preview, Range, HEAD of a file or folder',
		outcomes: '1 3 ✓ 4 ✓ ✓ 4 ✓',
		calls: readCalls,
	},
	{
		call: 'every tus verb; folder and file writes',
		outcomes: '1 3 3 3 3 3 3 ✓',
		calls: { ...uploadAndFolderCalls, ...fileWriteCalls },
	},
	{
		call: 'shared-with-me list and content',
		outcomes: '1 3 – 4 – ✓ 4 ✓',
		calls: sharedWithMeCalls,
		ownOnly: ['GET /api/shared', 'GET /api/course'],
	},
	{
		call: 'editions: bytes, marked copies, positions, notes',
		outcomes: '1 3 – 4 – ✓ 4 ✓',
		calls: { ...editionContentCalls, ...readingCalls },
	},
	{
		call: 'archive (ZIP) of what one may read',
		outcomes: '1 3 ✓ 4 ✓ ✓ 4 ✓',
		calls: archiveCalls,
	},
	{
		call: "an order's status page by its own secret link",
		outcomes: '✓ ✓ ✓ 4 – – – ✓',
		calls: orderPageCalls,
	},
	{
		call: 'own sessions and two-factor',
		outcomes: '1 3 ✓ 4 – – – ✓',
		calls: { ...ownSessionCalls, ...ownTwoFactorCalls },
		ownOnly: [
			'GET /api/sessions',
			'POST /api/sessions/end-others',
			'POST /api/password/change',
			'GET /api/two-factor',
			'POST /api/two-factor/begin',
			'POST /api/two-factor/confirm',
			'POST /api/two-factor/recovery-codes',
			'POST /api/two-factor/turn-off',
			'POST /api/view-as/end',
		],
	},
	{
		call: 'share, unshare',
		outcomes: '1 3 3 3 3 3 3 ✓',
		calls: sharingCalls,
	},
	{
		call: 'chat read, send, typing, attachment, stream',
		outcomes: '1 3 ✓ 4 – – – ✓',
		calls: chatCalls,
		// The access to new chat messages is tested with GET /api/events.
		ownOnly: ['GET /api/chat-unread', 'POST /api/chat-viewed'],
	},
	{
		call: "contact-info write, delete-all chat, marking a member's message viewed",
		outcomes: '1 3 3 3 – – – ✓',
		calls: { ...adminChatCalls, ...cannedReplyCalls },
	},
	{
		call: 'own profile, contact info, dashboard setting, reader',
		outcomes: '1 3 ✓ – – – – ✓',
		calls: { ...memberCalls, ...readingExportCalls, ...dashboardCalls, ...contactInfoCalls },
	},
	{
		call: 'users, groups, login history, orders, settings, storefront, visits, credentials, outbox, audit, reading statistics, first steps, API documentation',
		outcomes: '1 3 3 3 – – – ✓',
		calls: {
			...adminCalls,
			...groupCalls,
			...adminSessionCalls,
			...adminTwoFactorCalls,
			...adminStorageCalls,
			...adminDashboardCalls,
			...credentialCalls,
			...adminVisitCalls,
			...readingStatsCalls,
		},
	},
];

/** Calls of the table for which no route exists yet, each with a pattern of the routes that it would have. */
export const notBuilt: ReadonlyArray<readonly [call: string, route: RegExp]> = [
	['WebDAV and its tokens', /dav/iu],
	['API tokens', /api-?tokens/iu],
	['webhooks', /hooks/iu],
	['payment alerts', /alerts/iu],
	['backups', /backup/iu],
	['health page', /admin\/health|api\/health/iu],
];

/** Routes that other tests cover because they return no user data. */
export const routesOutsideTheTable: readonly string[] = [
	// Built files, and the screens. src/contract/core/screens.ts lists the redirects of the screens.
	...['GET /*', 'GET /assets/*', 'GET /pdfjs/*', 'GET /offline.js', 'GET /films/:name'],
	...['GET /favicon.svg', 'GET /social.png', 'GET /icon-192.png', 'GET /icon-512.png', 'GET /icon-maskable-512.png'],
	...['GET /apple-touch-icon.png', 'GET /book.svg', 'GET /book-180.png', 'GET /book-192.png', 'GET /book-512.png'],
	...['GET /storefront/colors/:file', 'GET /storefront/social-en.png', 'GET /storefront/social-hi.png'],
	'GET /manifest.webmanifest',
	...['GET /robots.txt', 'GET /sitemap.xml'],
	// The metrics require a loopback address or a token.
	...['GET /healthz', 'GET /readyz', 'GET /metrics'],
];

export function outcomesOf(row: AccessRow): Record<Actor, Outcome> {
	const marks = row.outcomes.split(' ') as Outcome[];
	return Object.fromEntries(actors.map((actor, i) => [actor, marks[i] ?? '–'])) as Record<Actor, Outcome>;
}
