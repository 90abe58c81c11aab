/**
 * The actors of the table. A: anonymous. I: an inactive user, whose session was ended by the deactivation. O: a user
 * who requests their own data. X: a user who requests data of another user. G: a user who requests the guest space. R:
 * the recipient of a share, or a buyer with book access. U: a user whose share or book access was removed. D: an admin.
 */
export const actors = ['A', 'I', 'O', 'X', 'G', 'R', 'U', 'D'] as const;
export type Actor = (typeof actors)[number];

/** ✓: allowed. 1: status 401. 3: status 403. 4: status 404, as for an unknown ID. –: not applicable. */
export type Outcome = '✓' | '1' | '3' | '4' | '–';

export interface AccessRow {
	call: string;
	/** One outcome for each actor, in the order of `actors`. */
	outcomes: string;
	routes: readonly string[];
	/** Routes without an ID in the URL. They concern only the data of the caller, so outcome 4 does not apply. */
	ownOnly?: readonly string[];
}

const ownTwoFactor: readonly string[] = [
	'GET /api/two-factor',
	'POST /api/two-factor/begin',
	'POST /api/two-factor/confirm',
	'POST /api/two-factor/recovery-codes',
	'POST /api/two-factor/turn-off',
	'POST /api/view-as/end',
];

/** The outcome of each call for each actor. */
export const accessTable: readonly AccessRow[] = [
	{
		call: 'landing, book settings (public part), QR image, visit, purchase, sign-in/out, reset, credentials search',
		outcomes: '✓ ✓ ✓ – – – – ✓',
		routes: [
			'GET /',
			'GET /api/book',
			'GET /api/qr/:id',
			'GET /api/films/:id',
			'GET /storefront/images/:id/:name',
			'POST /purchase',
			'POST /api/sign-in',
			'POST /api/sign-out',
			'POST /api/password/request-reset',
			'POST /api/password/check-link',
			'POST /api/password/set',
			'POST /api/insta-credentials/search',
			'POST /api/visits',
		],
	},
	{
		call: 'list, read, preview, Range, HEAD of a file or folder',
		outcomes: '1 3 ✓ 4 ✓ ✓ 4 ✓',
		routes: [
			'GET /api/spaces/:owner/nodes',
			'GET /api/files/:id',
			'GET /api/files/:id/content',
			'GET /api/files/:id/thumb',
		],
	},
	{
		call: 'every tus verb; folder and file writes',
		outcomes: '1 3 3 3 3 3 3 ✓',
		routes: [
			'GET /api/uploads',
			'POST /api/uploads',
			'OPTIONS /api/uploads',
			'HEAD /api/uploads/:id',
			'PATCH /api/uploads/:id',
			'DELETE /api/uploads/:id',
			'OPTIONS /api/uploads/:id',
			'POST /api/spaces/:owner/folders',
			'POST /api/spaces/:owner/folder-paths',
			'POST /api/nodes/:id/rename',
			'POST /api/files/:id/poster',
			'POST /api/nodes/move',
			'POST /api/nodes/copy',
			'POST /api/nodes/remove',
			'GET /api/spaces/:owner/trash',
			'POST /api/trash/:id/restore',
			'DELETE /api/trash/:id',
			'POST /api/trash/restore',
			'POST /api/trash/purge',
			'POST /api/spaces/:owner/trash/empty',
			'DELETE /api/nodes/:id',
		],
	},
	{
		call: 'shared-with-me list and content',
		outcomes: '1 3 – 4 – ✓ 4 ✓',
		routes: [
			'GET /api/shared',
			'GET /api/shared/:id/nodes',
			'GET /api/course',
			'GET /api/course/modules/:id',
			'PUT /api/course/lessons/:id/progress',
		],
		ownOnly: ['GET /api/shared', 'GET /api/course'],
	},
	{
		call: 'editions: bytes, marked copies, positions, notes',
		outcomes: '1 3 – 4 – ✓ 4 ✓',
		routes: [
			'GET /api/editions/:key/content',
			'GET /api/reading/:document',
			'PUT /api/reading/:document/place',
			'PUT /api/reading/:document/marks/:id',
			'DELETE /api/reading/:document/marks/:id',
		],
	},
	{
		call: 'archive (ZIP) of what one may read',
		outcomes: '1 3 ✓ 4 ✓ ✓ 4 ✓',
		routes: ['GET /api/archive'],
	},
	{
		call: "an order's status page by its own secret link",
		outcomes: '✓ ✓ ✓ 4 – – – ✓',
		routes: [
			'GET /order/:token',
			'GET /order/:token/receipt',
			'POST /order/:token/proof',
			'POST /order/:token/address',
			'POST /order/:token/login',
		],
	},
	{
		call: 'own sessions and two-factor',
		outcomes: '1 3 ✓ 4 – – – ✓',
		routes: [
			'GET /api/sessions',
			'POST /api/sessions/end-others',
			'DELETE /api/sessions/:id',
			'POST /api/password/change',
			...ownTwoFactor,
		],
		ownOnly: ['GET /api/sessions', 'POST /api/sessions/end-others', 'POST /api/password/change', ...ownTwoFactor],
	},
	{
		call: 'share, unshare',
		outcomes: '1 3 3 3 3 3 3 ✓',
		routes: [
			'GET /api/shares',
			'POST /api/shares',
			'POST /api/shares/many',
			'POST /api/shares/remove',
			'POST /api/shares/states',
			'POST /api/shares/marks',
			'GET /api/shares/:id/nodes',
			'GET /api/nodes/:id/readers',
			'GET /api/shared-folders',
			'GET /api/shared-files',
		],
	},
	{
		call: 'chat read, send, typing, attachment, stream',
		outcomes: '1 3 ✓ 4 – – – ✓',
		routes: [
			'GET /api/chat-unread',
			'GET /api/chats/:userId/messages',
			'POST /api/chats/:userId/messages',
			'POST /api/chats/:userId/attachments',
			'GET /api/chats/:userId/attachments/:id',
			'POST /api/chats/:userId/typing',
			'POST /api/chat-viewed',
		],
		// The access to new chat messages is tested with GET /api/events.
		ownOnly: ['GET /api/chat-unread', 'POST /api/chat-viewed'],
	},
	{
		call: "contact-info write, delete-all chat, marking a member's message viewed",
		outcomes: '1 3 3 3 – – – ✓',
		routes: [
			'GET /api/chats',
			'GET /api/chat-storage',
			'GET /api/chats/:userId/hits',
			'DELETE /api/chats/:userId/messages',
			'POST /api/chats/:userId/viewed',
			'PUT /api/settings/contact-info',
			'GET /api/chats/:userId/person',
			'POST /api/chats/:userId/login',
			'POST /api/chats/:userId/reply-files',
			'GET /api/canned-replies',
			'POST /api/canned-replies',
			'PUT /api/canned-replies/:id',
			'DELETE /api/canned-replies/:id',
			'POST /api/canned-replies-order',
			'POST /api/canned-replies/:id/files',
			'GET /api/canned-replies/:id/files/:fileId',
			'DELETE /api/canned-replies/:id/files/:fileId',
		],
	},
	{
		call: 'own profile, contact info, dashboard setting, reader',
		outcomes: '1 3 ✓ – – – – ✓',
		routes: [
			'GET /api/me',
			'GET /api/me/export',
			'GET /api/reading-export',
			'GET /api/shelf',
			'GET /api/outline-pairs',
			'GET /api/events',
			'GET /api/settings/dashboard',
			'GET /api/contact-info',
		],
	},
	{
		call: 'users list, register, activate, delete, login history, orders, order screenshots, settings writes, QR upload, visits, credentials add and log, outbox, audit, backups, groups, `book` and `guest` space writes',
		outcomes: '1 3 3 3 – – – ✓',
		routes: [
			'GET /api/groups',
			'POST /api/groups',
			'POST /api/groups/:id/rename',
			'DELETE /api/groups/:id',
			'GET /api/groups/:id/members',
			'POST /api/groups/:id/members',
			'POST /api/groups/:id/members/remove',
			'GET /api/users',
			'POST /api/users',
			'POST /api/users/:id/active',
			'GET /api/users/:id/sessions',
			'DELETE /api/users/:id/sessions/:sessionId',
			'POST /api/users/:id/sessions/end-all',
			'POST /api/users/:id/role',
			'POST /api/users-import',
			'GET /api/users/:id/book-access',
			'PUT /api/users/:id/book-grant',
			'GET /firestore-users',
			'POST /api/users/register',
			'POST /delete-user-all',
			'GET /api/removals',
			'GET /api/orders',
			'GET /api/orders-summary',
			'GET /api/orders-days',
			'GET /api/orders.csv',
			'POST /api/orders-complete',
			'POST /api/orders-statement',
			'GET /api/orders/:id/row',
			'GET /api/orders/:id/proofs',
			'PUT /api/orders/:id',
			'POST /api/orders/:id/note',
			'DELETE /api/orders/:id',
			'GET /api/proofs/:id/image',
			'GET /api/settings/book',
			'GET /api/settings/book/editions',
			'PUT /api/settings/book',
			'POST /api/settings/qr',
			'GET /api/outbox/status',
			'POST /api/outbox/test',
			'GET /api/settings/mail',
			'PUT /api/settings/mail',
			'GET /api/spaces',
			'PUT /api/spaces/:owner/quota',
			'GET /api/settings/files',
			'PUT /api/settings/files',
			'PUT /api/settings/dashboard',
			'GET /api/settings/outline-pairs',
			'PUT /api/settings/outline-pairs',
			'GET /api/storefront/draft',
			'PUT /api/storefront/draft/:field',
			'POST /api/storefront/publish',
			'POST /api/storefront/discard',
			'GET /api/storefront/versions',
			'GET /api/storefront/preview',
			'POST /api/storefront/versions/:number/restore',
			'POST /api/storefront/videos/:key/:part',
			'POST /api/storefront/images',
			'POST /api/insta-credentials/add',
			'GET /api/credentials',
			'PUT /api/credentials/:record',
			'DELETE /api/credentials/:record',
			'POST /api/credentials-import',
			'GET /api/credential-lookups',
			'GET /api/login-history',
			'GET /api/audit',
			'GET /api/audit.csv',
			'GET /api/visits-summary',
			'GET /api/visit-addresses',
			'GET /api/settings/visits',
			'PUT /api/settings/visits',
		],
	},
];

/** The access table and further calls. */
export const accessRows: readonly AccessRow[] = [
	...accessTable,
	{
		call: 'legal pages and video pages (public)',
		outcomes: '✓ ✓ ✓ – – – – ✓',
		routes: ['GET /privacy', 'GET /terms', 'GET /refund', 'GET /film/benefits', 'GET /film/how-to-get'],
	},
	{
		call: 'API documentation (for admins)',
		outcomes: '1 3 3 3 – – – ✓',
		routes: ['GET /openapi.json', 'GET /docs'],
	},
	{
		call: 'two-factor sign-in of another user, two-factor requirement, impersonation (for admins)',
		outcomes: '1 3 3 3 – – – ✓',
		routes: [
			'POST /api/users/:id/two-factor/reset',
			'GET /api/settings/security',
			'PUT /api/settings/security',
			'POST /api/users/:id/view-as',
		],
	},
	{
		call: 'bulk actions on users, own saved filters (for admins)',
		outcomes: '1 3 3 3 – – – ✓',
		routes: [
			'GET /api/users-bulk',
			'POST /api/users-bulk',
			'GET /api/saved-filters',
			'POST /api/saved-filters',
			'PUT /api/saved-filters/:id',
			'DELETE /api/saved-filters/:id',
		],
	},
	{
		call: 'first steps and test purchase (for admins)',
		outcomes: '1 3 3 3 – – – ✓',
		routes: [
			'GET /api/first-steps',
			'PUT /api/first-steps',
			'GET /api/test-purchase',
			'POST /api/test-purchase',
			'DELETE /api/test-purchase',
			'GET /api/test-purchase/mails/:id',
		],
	},
	{
		call: 'reading statistics (for admins)',
		outcomes: '1 3 3 3 – – – ✓',
		routes: ['GET /api/reading-stats', 'GET /api/reading-stats/people'],
	},
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
