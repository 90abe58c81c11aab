import { globSync, readFileSync } from 'node:fs';

/** A change that removes one check from the product. */
export interface Mutation {
	file: string;
	/** The text to replace; `at` is the index of the occurrence in the file, from 0. */
	from: string;
	to: string;
	at: number;
	/** The test file that must fail. */
	killedBy: string;
}

const access = 'test/http/access/access.slow.test.ts';
const account = 'test/http/accounts/sign-in.test.ts';
const sessions = 'test/http/accounts/sessions.test.ts';
const twoFactor = 'test/http/accounts/two-factor.test.ts';
const impersonation = 'test/http/accounts/impersonation.test.ts';
const reading = 'test/http/book/reading.slow.test.ts';
const chapterMatching = 'test/http/book/chapter-matching.heavy.test.ts';
const readingStats = 'test/http/book/reading-statistics.slow.test.ts';
const sharing = 'test/http/sharing/sharing.test.ts';
const sharingLive = 'test/http/sharing/access-revocation.slow.test.ts';
const course = 'test/http/course/course.test.ts';
const orderPage = 'test/http/orders/order-page.slow.test.ts';
const bulkCompletion = 'test/http/orders/bulk-completion-and-reports.slow.test.ts';
const statementImport = 'test/http/orders/statement-import.slow.test.ts';
const files = 'test/http/files/files.test.ts';
const zipDownload = 'test/http/files/zip-download.slow.test.ts';
const visits = 'test/http/storefront/visits.slow.test.ts';
const chat = 'test/http/chat/chat.slow.test.ts';
const chatSearch = 'test/http/chat/chat-search.test.ts';
const chatFiles = 'test/http/chat/chat-files.test.ts';
const chatMemberDetails = 'test/http/chat/chat-member-details.slow.test.ts';
const watermarkedCopies = 'test/http/book/watermarked-copies.heavy.test.ts';
const eventStreams = 'test/http/platform/event-streams.slow.test.ts';
const screens = 'test/http/platform/screens.test.ts';
const cannedReplies = 'test/http/chat/canned-replies.test.ts';

/** Checks by file, without the access declarations: text of the check, its replacement, and the test that must then fail. */
const checks: Readonly<Record<string, ReadonlyArray<readonly [from: string, to: string, killedBy?: string]>>> = {
	'platform/http/guard.ts': [
		["request.session.state === 'inactive'", 'false'],
		['request.caller.actor === null', 'false'],
		["request.caller.actor.role !== 'admin'", 'false'],
		['!readMethods.has(request.method)', 'false', account],
		['request.caller.actor.mustSetUpTwoFactor', 'false', twoFactor],
		['isReadOnly && !isOpenInView', 'false', impersonation],
		['request.raw.complete === false', 'false', eventStreams],
	],
	'platform/http/screens.ts': [
		['request.caller.actor?.mustSetUpTwoFactor', 'false', twoFactor],
		['!canSeeScreen(screen, role)', 'false', screens],
	],
	'platform/auth/sessions/sessions.ts': [
		['viewEndsAt <= now', 'false', impersonation],
		["row.role !== 'admin' || (await", 'false || (await', impersonation],
		['(await mustSetUpTwoFactor(deps, row))', 'false', twoFactor],
		['row.active === 0', 'false'],
		['row.endedAt !== null', 'false'],
		['row.expiresAt <= now', 'false'],
	],
	'platform/auth/sessions/sessions.queries.ts': [
		[".where('role', '=', 'user')", '', impersonation],
		[".where('active', '=', 1)", '', impersonation],
		[".where('user_id', '=', which.userId)", ".where('user_id', '!=', '')"],
		[".where('user_id', '=', userId)", ".where('user_id', '!=', '')"],
	],
	'platform/realtime/live-connections.ts': [
		['event.isCleared === true', 'false', chatFiles],
		['sessionIds === undefined) endWhere', 'false) endWhere', impersonation],
		['(await connection.isStillAllowed())', 'true', sharingLive],
	],
	'features/accounts/sign-in/sign-in.service.ts': [
		['user.totp_confirmed_at === null', 'true', twoFactor],
		['code === null ? null', 'code === undefined ? null', twoFactor],
		['current.totp_confirmed_at !== user.totp_confirmed_at', 'false', twoFactor],
		['user !== undefined && isRight', 'user !== undefined', account],
		['current.active === 0', 'false', account],
	],
	'features/accounts/two-factor/code-verification.ts': [['!isUsed', 'false', twoFactor]],
	'features/accounts/two-factor/two-factor.queries.ts': [
		["where('totp_last_step', '<', step)", "where('totp_last_step', '>', -1)", twoFactor],
	],
	'features/accounts/two-factor/two-factor.service.ts': [
		['await verifyPassword(user.password_hash, password)', 'true', twoFactor],
		['caller.actor?.userId === userId', 'false', twoFactor],
	],
	'features/accounts/two-factor/admin-requirement.ts': [['(own?.since ?? null) === null', 'false', twoFactor]],
	'platform/auth/sessions/known-devices.ts': [
		["id !== '' && timingSafeEqual", "id !== '' || timingSafeEqual", sessions],
	],
	'features/accounts/passwords/change-password.ts': [['isRight === null', 'false', sessions]],
	'features/files/spaces/spaces.policy.ts': [
		["actor.role === 'admin' || ownerId === 'guest'", "true || ownerId === 'guest'"],
		["ownerId === 'guest' ||", 'true ||'],
		['ownerId === actor.userId', 'true'],
		["return actor.role === 'admin';", 'return true || actor;'],
	],
	'features/sharing/access/access.service.ts': [
		[
			'const isOpen = (row: files.NodeRow) => canReadSpace(actor, row.owner_id)',
			'const isOpen = (_row: files.NodeRow) => true',
		],
		["nearest?.entry.kind === 'share'", 'true', sharing],
		["nearest?.entry.kind === 'share'", 'nearest !== null', sharing],
		['canShareSpace(row.owner_id)', 'true', sharing],
		['chain.findLast', 'chain.find', sharing],
		['accesses.filter(isReadable).map', 'accesses.map', sharing],
		[
			'(await resolveAccess(db, recipientId, rows)).filter(isReadable)',
			'await resolveAccess(db, recipientId, rows)',
			sharing,
		],
		['(await protectedContent()(db, blob.sha256))', 'false', watermarkedCopies],
	],
	'features/files/tree/add-file.ts': [
		[
			'if (replacedId !== null) await fileAccess().copyExclusions',
			'if (deps === null) await fileAccess().copyExclusions',
			sharing,
		],
	],
	'features/files/listing/listing.service.ts': [
		['return recipientId === null ? packCursor(last)', 'return last !== null ? packCursor(last)', sharing],
		['const isOpen = canReadSpace(actor, space.id)', 'const isOpen = true || actor'],
		['pathBelow(folder) !== path', 'false', sharing],
	],
	'features/chat/chat.service.ts': [
		["actor.role !== 'admin' || !(await", 'false || !(await', chat],
		["actor.userId === userId || actor.role === 'admin';", 'true;', chat],
		['!(await listEmailsByUserId(db, [userId])).has(userId)', 'false', chat],
		['!(await lockUserIfExists(tx, userId))', 'false', chat],
		["actor.role === 'admin' ? 'admin' : 'user'", "'admin'", chat],
		['Math.max(cleared, input.after ?? 0)', 'input.after ?? 0', chat],
		['Math.max(cleared, around - 1)', 'around - 1', chatSearch],
	],
	'features/chat/chat.queries.ts': [
		["\t\t.where('messages.user_id', '=', userId)\n", '', chatFiles],
		[
			"whereRef('messages.sequence', '>', 'conversations.cleared_through')",
			"whereRef('messages.sequence', '>=', 'messages.sequence')",
			chatFiles,
		],
	],
	'features/chat/member-card/member-card.service.ts': [
		['user.active === 0', 'false', chatMemberDetails],
		['role: user.role', "role: 'admin'", chatMemberDetails],
	],
	'features/chat/canned-replies/canned-replies.queries.ts': [[".where('version', '=', version)", '', cannedReplies]],
	'features/chat/canned-replies/canned-replies.service.ts': [['said !== undefined', 'false', cannedReplies]],
	'registrations.ts': [["['canned_reply_files', 'blob_id']", "['canned_reply_files', 'id']", cannedReplies]],
	'platform/realtime/recent-events.ts': [
		["audience.to === 'conversation' && isAdmin", 'false', chat],
		["actor.role === 'admin'", 'true', eventStreams],
		['actor.userId === audience.userId', 'true', eventStreams],
	],
	'features/files/tree/tree.queries.ts': [
		['query.recipientId !== null) page', 'false) page', sharing],
		["where('nodes.id', 'in', ids).where('nodes.deleted_at', 'is', null)", "where('nodes.id', 'in', ids)", files],
	],
	'features/sharing/share-lists/share-lists.service.ts': [['!isReadable(access)', 'false', sharing]],
	'features/sharing/sharing.service.ts': [
		['recipient.active !== 1', 'false', sharing],
		['!access.isParentReadable', 'true', sharing],
		['folders.some(({ id }) => shared.has(id))', 'false', sharing],
	],
	'features/course/course.service.ts': [['access === undefined || !isReadable(access)) throw', 'false) throw', course]],
	'features/files/tree/nodes.ts': [['folders.every((folder) => folder !== undefined) ?', 'true ?', files]],
	'features/files/files.routes.ts': [
		[
			'fileAccess().requireNode(deps.db, request.caller, request.params.id)',
			"(await import('./tree/nodes.ts')).findLiveNode(deps.db, request.params.id)",
		],
	],
	'features/files/thumbnails/thumbnails.service.ts': [
		[
			'await fileAccess().requireNode(deps.db, caller, nodeId);\n\t// A thumbnail',
			'await files.findNodeIncludingTrashed(deps.db, nodeId);\n\t// A thumbnail',
		],
		['await fileAccess().requireBlob(deps.db, caller, node.blob_id);', '', watermarkedCopies],
	],
	'features/files/zip/zip.service.ts': [
		[
			'await fileAccess().requireNodes(deps.db, caller, ids)',
			"await (await import('../tree/tree.queries.ts')).findNodes(deps.db, [...ids])",
		],
		[
			'await fileAccess().requireNode(deps.db, caller, node.id)',
			"await (await import('../tree/tree.queries.ts')).findNodeIncludingTrashed(deps.db, node.id)",
			zipDownload,
		],
		[
			'fileAccess().canStillReadFile(deps.db, caller, current)',
			'fileAccess().canStillReadAll(deps.db, caller, [current])',
			watermarkedCopies,
		],
	],
	'features/storefront/visits/visit-recorder.ts': [["actor?.role === 'admin'", 'false', visits]],
	'features/files/uploads/uploads.service.ts': [['upload.user_id !== caller.actor?.userId', 'false']],
	'features/user-data-export/user-data-export.routes.ts': [
		['actor.impersonatedBy !== null', 'false', 'test/http/user-data-export/user-data-export.test.ts'],
	],
	'features/accounts/deletion/deletion.service.ts': [
		[
			'caller.actor === null || !activeAdmins.includes(caller.actor.userId)',
			'caller.actor === null',
			'test/http/accounts/account-deletion.slow.test.ts',
		],
	],
	'features/book/shelf/shelf.service.ts': [
		[
			"if (!parsed.success || (await getAccessOfCaller(deps, caller)) !== 'open') throw",
			'if (!parsed.success) throw',
			reading,
		],
		["caller.actor.role === 'admin' ?", 'true ?'],
		["if (caller.actor.role === 'admin')", 'if (true)', watermarkedCopies],
		['isAdmin ? (await', 'true ? (await'],
		['editionRequest.version !== blob.id', 'false', watermarkedCopies],
		['editionRequest.isDownload && !isAdmin', 'false', watermarkedCopies],
		["access === 'open' ? [", 'true ? [', chatMemberDetails],
	],
	'features/book/reading/readable-document.ts': [
		[
			'await requireNode(deps.db, caller, id)',
			"(await (await import('../../files/tree/tree.queries.ts')).findNodes(deps.db, [id]))[0]",
			reading,
		],
		["!== 'pdf'", "=== 'image'", reading],
	],
	'features/book/reading/reading.service.ts': [
		['before.document !== document.id', 'false', reading],
		['viewedBy === null ?', 'true ?', reading],
		['totals.count >= limits.annotationsPerDocumentMax', 'false', reading],
		['readAt < now ? readAt : now', 'readAt', reading],
	],
	'features/book/reading/reading.routes.ts': [['caller.actor.impersonatedBy !== null', 'false', reading]],
	'features/book/reading/annotation-export.ts': [
		['await requireReadableDocument(deps, caller, id).catch(ignoreNotFound)', '{ nameIn: () => id }', reading],
	],
	'features/book/reading/statistics/statistics.queries.ts': [
		[".where(sql<number>`users.active + 0`, '=', 1)", '', readingStats],
		[".where('users.role', '=', 'user')", '', readingStats],
		['.where(hasBookAccess)', '', readingStats],
	],
	'features/book/reading/statistics/statistics.service.ts': [
		['await recordNamesViewed(deps, caller)', '', readingStats],
	],
	'features/book/chapter-matching/chapter-matching.service.ts': [
		["(await getReadableEditions(deps, caller)).access !== 'open'", 'false', chapterMatching],
		['now.en.id !== en || now.hi.id !== hi', 'false', chapterMatching],
		['if (!isKnown)', 'if (false)', chapterMatching],
		['else if (isTwice)', 'else if (false)', chapterMatching],
	],
	'features/book/watermark/copy-plan.ts': [
		["(await getBookAccess(db, userId)) !== 'open'", 'false', watermarkedCopies],
		['row.source_id !== target.sourceId', 'false', watermarkedCopies],
	],
	'features/orders/order-page/order-page.service.ts': [
		["(order.note_at ?? '') < link.created_at", 'false', orderPage],
		["order.status !== 'Complete'", 'false', orderPage],
		['name: typed?.name ?? order.name', 'name: order.name', orderPage],
		["(old?.last_login_at ?? '') >= link.created_at", 'false', orderPage],
		['!hasOthers && (await isUnusedAccountOfSubmission', '(await isUnusedAccountOfSubmission', orderPage],
		['if (link.email === null) throw', 'if (false) throw', orderPage],
	],
	'features/orders/management/management.service.ts': [['order.note !== input.was', 'false', orderPage]],
	'features/orders/management/order-completion.ts': [
		['order.version !== version', 'false', bulkCompletion],
		["order.status === 'Complete'", 'false', bulkCompletion],
		['use !== undefined', 'false', statementImport],
	],
	'features/orders/statement-import/statement-import.service.ts': [
		['if (use !== undefined)', 'if (false)', statementImport],
		['orders.length > 1', 'false', statementImport],
		['if (isShared)', 'if (false)', statementImport],
		['flagged.has(id)', 'false', statementImport],
		['!isPlausibleDay(', 'false && !isPlausibleDay(', statementImport],
	],
	'features/orders/statement-import/statement-credits.ts': [
		['!isOwn(each)', 'true', statementImport],
		["money.direction === 'unclear'", 'false', statementImport],
	],
	'features/orders/orders.queries.ts': [['row.isComplete === 1', 'true']],
	'features/book/content/content.service.ts': [['book.qrBlobId === blobId', 'true']],
	'platform/http/health-and-metrics.ts': [['!canReadMetrics(deps, request)', 'false', screens]],
};

/**
 * Lists all mutations: each access declaration opened to everyone, and each rule of {@link checks} replaced.
 * @throws Error when a check does not occur exactly once in its file
 */
export function listMutations(): Mutation[] {
	const declarations = globSync(['src/contract/**/*.ts', 'src/server/**/*.ts'])
		.filter((file) => !file.endsWith('.test.ts') && !file.endsWith('core/endpoint.ts'))
		.sort()
		.flatMap((file) =>
			["access: 'member'", "access: 'admin'", "endpoint('member'", "endpoint('admin'"].flatMap((from) =>
				Array.from({ length: count(file, from) }, (_, at) => ({
					file,
					from,
					to: from.replace(/member|admin/u, 'public'),
					at,
					killedBy: access,
				})),
			),
		);
	const rules = Object.entries(checks).flatMap(([path, changes]) =>
		changes.map(([from, to, killedBy = access]) => {
			const file = `src/server/${path}`;
			if (count(file, from) !== 1)
				throw new Error(`${file} does not contain "${from}" exactly once: update test/access/mutations.ts.`);
			return { file, from, to, at: 0, killedBy };
		}),
	);
	return [...declarations, ...rules];
}

/** Applies a mutation to the code of its file. */
export function mutate(code: string, { from, to, at }: Mutation): string {
	let start = -1;
	for (let i = 0; i <= at; i += 1) start = code.indexOf(from, start + 1);
	if (start < 0) throw new Error(`The code does not contain "${from}" ${at + 1} times.`);
	return code.slice(0, start) + to + code.slice(start + from.length);
}

function count(file: string, text: string): number {
	return readFileSync(file, 'utf8').split(text).length - 1;
}
