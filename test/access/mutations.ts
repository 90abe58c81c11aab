import { globSync, readFileSync } from 'node:fs';

/** A change that removes one check from the product. */
export interface Mutation {
	file: string;
	/** The text in the file; `at` says which of its occurrences, counted from 0. */
	from: string;
	to: string;
	at: number;
	/** The test file that must fail. */
	killedBy: string;
}

const access = 'test/http/access/access.test.ts';
const account = 'test/http/accounts/sign-in.test.ts';
const sessions = 'test/http/accounts/sessions.test.ts';
const twoFactor = 'test/http/accounts/two-factor.test.ts';
const impersonation = 'test/http/accounts/impersonation.test.ts';
const reading = 'test/http/book/reading.test.ts';
const chapterMatching = 'test/http/book/chapter-matching.test.ts';
const readingStats = 'test/http/book/reading-statistics.test.ts';
const sharing = 'test/http/sharing/sharing.test.ts';
const sharingLive = 'test/http/sharing/access-revocation.test.ts';
const course = 'test/http/course/course.test.ts';
const orderPage = 'test/http/orders/order-page.test.ts';
const bulkCompletion = 'test/http/orders/bulk-completion-and-reports.test.ts';
const statementImport = 'test/http/orders/statement-import.test.ts';
const server = 'src/server';
const files = 'test/http/files/files.test.ts';
const zipDownload = 'test/http/files/zip-download.test.ts';
const visits = 'test/http/storefront/visits.test.ts';
const chat = 'test/http/chat/chat.test.ts';
const chatSearch = 'test/http/chat/chat-search.test.ts';
const chatFiles = 'test/http/chat/chat-files.test.ts';
const chatMemberDetails = 'test/http/chat/chat-member-details.test.ts';
const watermarkedCopies = 'test/http/book/watermarked-copies.test.ts';
const cannedReplies = 'test/http/chat/canned-replies.test.ts';

/** Checks other than the `access:` declarations: [file, its text, the text without the check, the test that fails]. */
const checks: ReadonlyArray<readonly [file: string, from: string, to: string, killedBy?: string]> = [
	[`${server}/platform/http/guard.ts`, "request.session.state === 'inactive'", 'false'],
	[`${server}/platform/http/guard.ts`, 'request.caller.actor === null', 'false'],
	[`${server}/platform/http/guard.ts`, "request.caller.actor.role !== 'admin'", 'false'],
	[`${server}/platform/http/guard.ts`, '!readMethods.has(request.method)', 'false', account],
	[`${server}/platform/http/guard.ts`, 'request.caller.actor.mustSetUpTwoFactor', 'false', twoFactor],
	[`${server}/platform/http/guard.ts`, 'isReadOnly && !isOpenInView', 'false', impersonation],
	[`${server}/platform/http/screens.ts`, 'request.caller.actor?.mustSetUpTwoFactor', 'false', twoFactor],
	[`${server}/platform/auth/sessions/sessions.ts`, 'viewEndsAt <= now', 'false', impersonation],
	[`${server}/platform/auth/sessions/sessions.ts`, "row.role !== 'admin' || (await", 'false || (await', impersonation],
	[`${server}/platform/auth/sessions/sessions.ts`, '(await mustSetUpTwoFactor(deps, row))', 'false', twoFactor],
	[`${server}/platform/auth/sessions/sessions.queries.ts`, ".where('role', '=', 'user')", '', impersonation],
	[`${server}/platform/auth/sessions/sessions.queries.ts`, ".where('active', '=', 1)", '', impersonation],
	[`${server}/platform/realtime/live-connections.ts`, 'event.isCleared === true', 'false', chatFiles],
	[
		`${server}/platform/realtime/live-connections.ts`,
		'sessionIds === undefined) endWhere',
		'false) endWhere',
		impersonation,
	],
	[`${server}/features/accounts/sign-in/sign-in.service.ts`, 'user.totp_confirmed_at === null', 'true', twoFactor],
	[
		`${server}/features/accounts/sign-in/sign-in.service.ts`,
		'code === null ? null',
		'code === undefined ? null',
		twoFactor,
	],
	[
		`${server}/features/accounts/sign-in/sign-in.service.ts`,
		'current.totp_confirmed_at !== user.totp_confirmed_at',
		'false',
		twoFactor,
	],
	[`${server}/features/accounts/two-factor/code-verification.ts`, '!isUsed', 'false', twoFactor],
	[
		`${server}/features/accounts/two-factor/two-factor.queries.ts`,
		"where('totp_last_step', '<', step)",
		"where('totp_last_step', '>', -1)",
		twoFactor,
	],
	[
		`${server}/features/accounts/two-factor/two-factor.service.ts`,
		'await verifyPassword(user.password_hash, password)',
		'true',
		twoFactor,
	],
	[
		`${server}/features/accounts/two-factor/two-factor.service.ts`,
		'caller.actor?.userId === userId',
		'false',
		twoFactor,
	],
	[`${server}/features/accounts/two-factor/admin-requirement.ts`, '(own?.since ?? null) === null', 'false', twoFactor],
	[`${server}/platform/auth/sessions/sessions.ts`, 'row.active === 0', 'false'],
	[`${server}/platform/auth/sessions/sessions.ts`, 'row.endedAt !== null', 'false'],
	[`${server}/platform/auth/sessions/sessions.ts`, 'row.expiresAt <= now', 'false'],
	[
		`${server}/platform/auth/sessions/sessions.queries.ts`,
		".where('user_id', '=', which.userId)",
		".where('user_id', '!=', '')",
	],
	[
		`${server}/platform/auth/sessions/sessions.queries.ts`,
		".where('user_id', '=', userId)",
		".where('user_id', '!=', '')",
	],
	[
		`${server}/platform/auth/sessions/known-devices.ts`,
		"id !== '' && timingSafeEqual",
		"id !== '' || timingSafeEqual",
		sessions,
	],
	[`${server}/features/accounts/passwords/change-password.ts`, 'isRight === null', 'false', sessions],
	[
		`${server}/features/accounts/sign-in/sign-in.service.ts`,
		'user !== undefined && isRight',
		'user !== undefined',
		account,
	],
	[`${server}/features/accounts/sign-in/sign-in.service.ts`, 'current.active === 0', 'false', account],
	[
		`${server}/features/files/spaces/spaces.policy.ts`,
		"actor.role === 'admin' || ownerId === 'guest'",
		"true || ownerId === 'guest'",
	],
	[`${server}/features/files/spaces/spaces.policy.ts`, "ownerId === 'guest' ||", 'true ||'],
	[`${server}/features/files/spaces/spaces.policy.ts`, 'ownerId === actor.userId', 'true'],
	[`${server}/features/files/spaces/spaces.policy.ts`, "return actor.role === 'admin';", 'return true || actor;'],
	[
		`${server}/features/sharing/access/access.service.ts`,
		'const isOpen = (row: files.NodeRow) => canReadSpace(actor, row.owner_id)',
		'const isOpen = (_row: files.NodeRow) => true',
	],
	[
		`${server}/features/files/tree/add-file.ts`,
		'if (replacedId !== null) await fileAccess().copyExclusions',
		'if (deps === null) await fileAccess().copyExclusions',
		sharing,
	],
	[
		`${server}/features/files/listing/listing.service.ts`,
		'return recipientId === null ? packCursor(last)',
		'return last !== null ? packCursor(last)',
		sharing,
	],
	[`${server}/features/chat/chat.service.ts`, "actor.role !== 'admin' || !(await", 'false || !(await', chat],
	[`${server}/features/chat/chat.service.ts`, "actor.userId === userId || actor.role === 'admin';", 'true;', chat],
	[`${server}/features/chat/chat.service.ts`, '!(await listEmailsByUserId(db, [userId])).has(userId)', 'false', chat],
	[`${server}/features/chat/chat.service.ts`, '!(await lockUserIfExists(tx, userId))', 'false', chat],
	[`${server}/features/chat/chat.service.ts`, "actor.role === 'admin' ? 'admin' : 'user'", "'admin'", chat],
	[`${server}/features/chat/chat.service.ts`, 'Math.max(cleared, input.after ?? 0)', 'input.after ?? 0', chat],
	[`${server}/features/chat/chat.service.ts`, 'Math.max(cleared, around - 1)', 'around - 1', chatSearch],
	[`${server}/features/chat/chat.queries.ts`, "\t\t.where('messages.user_id', '=', userId)\n", '', chatFiles],
	[
		`${server}/features/chat/chat.queries.ts`,
		"whereRef('messages.sequence', '>', 'conversations.cleared_through')",
		"whereRef('messages.sequence', '>=', 'messages.sequence')",
		chatFiles,
	],
	[`${server}/features/chat/member-card/member-card.service.ts`, 'user.active === 0', 'false', chatMemberDetails],
	[`${server}/features/chat/member-card/member-card.service.ts`, 'role: user.role', "role: 'admin'", chatMemberDetails],
	[
		`${server}/features/chat/canned-replies/canned-replies.queries.ts`,
		".where('version', '=', version)",
		'',
		cannedReplies,
	],
	[`${server}/features/chat/canned-replies/canned-replies.service.ts`, 'said !== undefined', 'false', cannedReplies],
	[`${server}/registrations.ts`, "['canned_reply_files', 'blob_id']", "['canned_reply_files', 'id']", cannedReplies],
	[`${server}/platform/realtime/recent-events.ts`, "audience.to === 'conversation' && isAdmin", 'false', chat],
	[`${server}/features/sharing/access/access.service.ts`, "nearest?.entry.kind === 'share'", 'true', sharing],
	[
		`${server}/features/sharing/access/access.service.ts`,
		"nearest?.entry.kind === 'share'",
		'nearest !== null',
		sharing,
	],
	[`${server}/features/sharing/access/access.service.ts`, 'canShareSpace(row.owner_id)', 'true', sharing],
	[`${server}/features/sharing/access/access.service.ts`, 'chain.findLast', 'chain.find', sharing],
	[`${server}/features/sharing/access/access.service.ts`, 'accesses.filter(isReadable).map', 'accesses.map', sharing],
	[
		`${server}/features/files/listing/listing.service.ts`,
		'const isOpen = canReadSpace(actor, space.id)',
		'const isOpen = true || actor',
	],
	[`${server}/features/files/listing/listing.service.ts`, 'pathBelow(folder) !== path', 'false', sharing],
	[
		`${server}/features/sharing/access/access.service.ts`,
		'(await resolveAccess(db, recipientId, rows)).filter(isReadable)',
		'await resolveAccess(db, recipientId, rows)',
		sharing,
	],
	[`${server}/features/files/tree/tree.queries.ts`, 'query.recipientId !== null) page', 'false) page', sharing],
	[`${server}/features/sharing/share-lists/share-lists.service.ts`, '!isReadable(access)', 'false', sharing],
	[`${server}/features/sharing/sharing.service.ts`, 'lockedRecipient.active !== 1', 'false', sharing],
	[
		`${server}/features/course/course.service.ts`,
		'access === undefined || !isReadable(access)) throw',
		'false) throw',
		course,
	],
	[`${server}/platform/realtime/live-connections.ts`, '(await connection.isStillAllowed())', 'true', sharingLive],
	[`${server}/features/files/tree/nodes.ts`, 'folders.every((folder) => folder !== undefined) ?', 'true ?', files],
	[
		`${server}/features/files/tree/tree.queries.ts`,
		"where('nodes.id', 'in', ids).where('nodes.deleted_at', 'is', null)",
		"where('nodes.id', 'in', ids)",
		files,
	],
	[
		`${server}/features/files/files.routes.ts`,
		'fileAccess().requireNode(deps.db, request.caller, request.params.id)',
		"(await import('./tree/nodes.ts')).findLiveNode(deps.db, request.params.id)",
	],
	[
		`${server}/features/files/thumbnails/thumbnails.service.ts`,
		'await fileAccess().requireNode(deps.db, caller, nodeId);\n\t// A thumbnail',
		'await files.findNodeIncludingTrashed(deps.db, nodeId);\n\t// A thumbnail',
	],
	[
		`${server}/features/files/zip/zip.service.ts`,
		'await fileAccess().requireNodes(deps.db, caller, ids)',
		"await (await import('../tree/tree.queries.ts')).findNodes(deps.db, [...ids])",
	],
	[
		`${server}/features/files/zip/zip.service.ts`,
		'await fileAccess().requireNode(this.#deps.db, this.#caller, node.id)',
		"await (await import('../tree/tree.queries.ts')).findNodeIncludingTrashed(this.#deps.db, node.id)",
		zipDownload,
	],
	[
		`${server}/features/files/zip/zip.service.ts`,
		'fileAccess().canStillReadFile(this.#deps.db, this.#caller, this.#current)',
		'fileAccess().canStillReadAll(this.#deps.db, this.#caller, [this.#current])',
		watermarkedCopies,
	],
	[`${server}/features/storefront/visits/visit-recorder.ts`, "actor?.role === 'admin'", 'false', visits],
	[`${server}/features/files/uploads/uploads.service.ts`, 'upload.user_id !== caller.actor?.userId', 'false'],
	[
		`${server}/features/user-data-export/user-data-export.routes.ts`,
		'actor.impersonatedBy !== null',
		'false',
		'test/http/user-data-export/user-data-export.test.ts',
	],
	[
		`${server}/features/accounts/deletion/deletion.service.ts`,
		'caller.actor === null || !activeAdmins.includes(caller.actor.userId)',
		'caller.actor === null',
		'test/http/accounts/account-deletion.test.ts',
	],
	[
		`${server}/features/book/shelf/shelf.service.ts`,
		"if (!parsed.success || (await getAccessOfCaller(deps, caller)) !== 'open') throw",
		'if (!parsed.success) throw',
		reading,
	],
	[
		`${server}/features/book/reading/readable-document.ts`,
		'await requireNode(deps.db, caller, id)',
		"(await (await import('../../files/tree/tree.queries.ts')).findNodes(deps.db, [id]))[0]",
		reading,
	],
	[`${server}/features/book/reading/readable-document.ts`, "!== 'pdf'", "=== 'image'", reading],
	[`${server}/features/book/reading/reading.service.ts`, 'before.document !== document.id', 'false', reading],
	[`${server}/features/book/reading/reading.service.ts`, 'viewedBy === null ?', 'true ?', reading],
	[
		`${server}/features/book/reading/reading.service.ts`,
		'totals.count >= limits.annotationsPerDocumentMax',
		'false',
		reading,
	],
	[`${server}/features/book/reading/reading.service.ts`, 'readAt < now ? readAt : now', 'readAt', reading],
	[`${server}/features/book/reading/reading.routes.ts`, 'caller.actor.impersonatedBy !== null', 'false', reading],
	[
		`${server}/features/book/reading/annotation-export.ts`,
		'await findReadableDocument(deps, caller, id)',
		'{ nameIn: () => id }',
		reading,
	],
	[
		`${server}/features/book/reading/statistics/statistics.queries.ts`,
		".where(sql<number>`users.active + 0`, '=', 1)",
		'',
		readingStats,
	],
	[
		`${server}/features/book/reading/statistics/statistics.queries.ts`,
		".where('users.role', '=', 'user')",
		'',
		readingStats,
	],
	[`${server}/features/book/reading/statistics/statistics.queries.ts`, '.where(hasBookAccess)', '', readingStats],
	[
		`${server}/features/book/reading/statistics/statistics.service.ts`,
		'await recordNamesViewed(deps, caller)',
		'',
		readingStats,
	],
	[
		`${server}/features/book/chapter-matching/chapter-matching.service.ts`,
		"(await getReadableEditions(deps, caller)).access !== 'open'",
		'false',
		chapterMatching,
	],
	[
		`${server}/features/book/chapter-matching/chapter-matching.service.ts`,
		'now.en.id !== en || now.hi.id !== hi',
		'false',
		chapterMatching,
	],
	[
		`${server}/features/book/chapter-matching/chapter-matching.service.ts`,
		'if (!isKnown)',
		'if (false)',
		chapterMatching,
	],
	[
		`${server}/features/book/chapter-matching/chapter-matching.service.ts`,
		'else if (isTwice)',
		'else if (false)',
		chapterMatching,
	],
	[`${server}/features/book/shelf/shelf.service.ts`, "caller.actor.role === 'admin' ?", 'true ?'],
	[
		`${server}/features/book/shelf/shelf.service.ts`,
		"if (caller.actor.role === 'admin')",
		'if (true)',
		watermarkedCopies,
	],
	[`${server}/features/book/shelf/shelf.service.ts`, 'isAdmin ? await', 'true ? await'],
	[`${server}/features/book/shelf/shelf.service.ts`, 'editionRequest.version !== blob.id', 'false', watermarkedCopies],
	[
		`${server}/features/book/shelf/shelf.service.ts`,
		'editionRequest.isDownload && !isAdmin',
		'false',
		watermarkedCopies,
	],
	[`${server}/features/book/shelf/shelf.service.ts`, "access === 'open' ? [", 'true ? [', chatMemberDetails],
	[
		`${server}/features/book/watermark/copy-plan.ts`,
		"(await getBookAccess(db, userId)) !== 'open'",
		'false',
		watermarkedCopies,
	],
	[`${server}/features/book/watermark/copy-plan.ts`, 'row.source_id !== target.sourceId', 'false', watermarkedCopies],
	[
		`${server}/features/sharing/access/access.service.ts`,
		'(await protectedContent()(db, blob.sha256))',
		'false',
		watermarkedCopies,
	],
	[
		`${server}/features/files/thumbnails/thumbnails.service.ts`,
		'await fileAccess().requireBlob(deps.db, caller, node.blob_id);',
		'',
		watermarkedCopies,
	],
	[
		`${server}/features/orders/order-page/order-page.service.ts`,
		"(order.note_at ?? '') < link.created_at",
		'false',
		orderPage,
	],
	[`${server}/features/orders/order-page/order-page.service.ts`, "order.status !== 'Complete'", 'false', orderPage],
	[
		`${server}/features/orders/order-page/order-page.service.ts`,
		'name: typed?.name ?? order.name',
		'name: order.name',
		orderPage,
	],
	[
		`${server}/features/orders/order-page/order-page.service.ts`,
		"(old?.last_login_at ?? '') >= link.created_at",
		'false',
		orderPage,
	],
	[
		`${server}/features/orders/order-page/order-page.service.ts`,
		'!hasOthers && (await isUnusedAccountOfSubmission',
		'(await isUnusedAccountOfSubmission',
		orderPage,
	],
	[
		`${server}/features/orders/order-page/order-page.service.ts`,
		'if (link.email === null) throw',
		'if (false) throw',
		orderPage,
	],
	[`${server}/features/orders/management/management.service.ts`, 'order.note !== input.was', 'false', orderPage],
	[`${server}/features/orders/management/order-completion.ts`, 'order.version !== version', 'false', bulkCompletion],
	[`${server}/features/orders/management/order-completion.ts`, "order.status === 'Complete'", 'false', bulkCompletion],
	[`${server}/features/orders/management/order-completion.ts`, 'use !== undefined', 'false', statementImport],
	[
		`${server}/features/orders/statement-import/statement-import.service.ts`,
		'if (use !== undefined)',
		'if (false)',
		statementImport,
	],
	[
		`${server}/features/orders/statement-import/statement-import.service.ts`,
		'orders.length > 1',
		'false',
		statementImport,
	],
	[
		`${server}/features/orders/statement-import/statement-import.service.ts`,
		'if (isShared)',
		'if (false)',
		statementImport,
	],
	[
		`${server}/features/orders/statement-import/statement-import.service.ts`,
		'flagged.has(id)',
		'false',
		statementImport,
	],
	[
		`${server}/features/orders/statement-import/statement-import.service.ts`,
		'!isPlausibleDay(',
		'false && !isPlausibleDay(',
		statementImport,
	],
	[`${server}/features/orders/statement-import/statement-credits.ts`, '!isOwn(each)', 'true', statementImport],
	[
		`${server}/features/orders/statement-import/statement-credits.ts`,
		"money.direction === 'unclear'",
		'false',
		statementImport,
	],
	[`${server}/features/orders/orders.queries.ts`, 'row.isComplete === 1', 'true'],
	[`${server}/features/book/content/content.service.ts`, 'book.qrBlobId === blobId', 'true'],
	[
		`${server}/platform/http/guard.ts`,
		'request.raw.complete === false',
		'false',
		'test/http/platform/event-streams.test.ts',
	],
	[
		`${server}/platform/realtime/recent-events.ts`,
		"actor.role === 'admin'",
		'true',
		'test/http/platform/event-streams.test.ts',
	],
	[
		`${server}/platform/realtime/recent-events.ts`,
		'actor.userId === audience.userId',
		'true',
		'test/http/platform/event-streams.test.ts',
	],
	[`${server}/platform/http/screens.ts`, '!canSeeScreen(screen, role)', 'false', 'test/http/platform/screens.test.ts'],
	[
		`${server}/platform/http/health-and-metrics.ts`,
		'!canReadMetrics(deps, request)',
		'false',
		'test/http/platform/screens.test.ts',
	],
];

/**
 * Lists every check that can be removed: opens each `access:` declaration to everyone, and makes each rule true.
 * @throws Error when a check named here is not in its file exactly once
 */
export function listMutations(): Mutation[] {
	const declarations = globSync(['src/contract/**/*.ts', 'src/server/**/*.ts'])
		.filter((file) => !file.endsWith('.test.ts') && !file.endsWith('core/endpoint.ts'))
		.sort()
		.flatMap((file) =>
			["access: 'member'", "access: 'admin'"].flatMap((from) =>
				Array.from({ length: count(file, from) }, (_, at) => ({
					file,
					from,
					to: "access: 'public'",
					at,
					killedBy: access,
				})),
			),
		);
	const rules = checks.map(([file, from, to, killedBy = access]) => {
		if (count(file, from) !== 1)
			throw new Error(`${file} has no single "${from}" any more: adapt test/access/mutations.ts.`);
		return { file, from, to, at: 0, killedBy };
	});
	return [...declarations, ...rules];
}

/** Returns the text of the file without the check. */
export function mutate(code: string, { from, to, at }: Mutation): string {
	let place = -1;
	for (let i = 0; i <= at; i += 1) place = code.indexOf(from, place + 1);
	if (place < 0) throw new Error(`"${from}" is not there ${at + 1} times.`);
	return code.slice(0, place) + to + code.slice(place + from.length);
}

function count(file: string, text: string): number {
	return readFileSync(file, 'utf8').split(text).length - 1;
}
