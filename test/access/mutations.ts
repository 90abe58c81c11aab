import { globSync, readFileSync } from 'node:fs';

/** One check taken out of the product. */
export interface Mutation {
	file: string;
	/** Stands in the file; `at` says which of its occurrences, counted from 0. */
	from: string;
	to: string;
	at: number;
	/** The test file that must turn red. */
	killedBy: string;
}

const access = 'test/http/access.test.ts';
const account = 'test/http/account.test.ts';
const sessions = 'test/http/sessions.test.ts';
const twoFactor = 'test/http/two-factor.test.ts';
const viewAs = 'test/http/view-as.test.ts';
const reading = 'test/http/reading.test.ts';
const outlinePairs = 'test/http/outline-pairs.test.ts';
const readingStats = 'test/http/reading-stats.test.ts';
const sharing = 'test/http/sharing.test.ts';
const sharingLive = 'test/http/sharing-live.test.ts';
const course = 'test/http/course.test.ts';
const orderPage = 'test/http/order-page.test.ts';
const ordersDesk = 'test/http/orders-desk.test.ts';
const ordersStatement = 'test/http/orders-statement.test.ts';
const server = 'src/server';
const files = 'test/http/files.test.ts';
const archive = 'test/http/archive.test.ts';
const visits = 'test/http/visits.test.ts';
const chat = 'test/http/chat.test.ts';
const chatSearch = 'test/http/chat-search.test.ts';
const chatFiles = 'test/http/chat-files.test.ts';
const chatPerson = 'test/http/chat-person.test.ts';
const markedCopies = 'test/http/marked-copies.test.ts';
const cannedReplies = 'test/http/canned-replies.test.ts';

/** Checks beside the `access:` declarations: [file, what stands there, what is left of it, where it is missed]. */
const checks: ReadonlyArray<readonly [file: string, from: string, to: string, killedBy?: string]> = [
	[`${server}/platform/http/guard.ts`, "request.session.state === 'inactive'", 'false'],
	[`${server}/platform/http/guard.ts`, 'request.caller.actor === null', 'false'],
	[`${server}/platform/http/guard.ts`, "request.caller.actor.role !== 'admin'", 'false'],
	[`${server}/platform/http/guard.ts`, '!readMethods.has(request.method)', 'false', account],
	[`${server}/platform/http/guard.ts`, 'request.caller.actor.mustSetUpTwoFactor', 'false', twoFactor],
	[`${server}/platform/http/guard.ts`, 'isReadOnly && !isOpenInView', 'false', viewAs],
	[`${server}/platform/http/screens.ts`, 'request.caller.actor?.mustSetUpTwoFactor', 'false', twoFactor],
	[`${server}/platform/auth/sessions.ts`, 'viewEndsAt <= now', 'false', viewAs],
	[`${server}/platform/auth/sessions.ts`, "row.role !== 'admin' || (await", 'false || (await', viewAs],
	[`${server}/platform/auth/sessions.ts`, '(await mustSetUpTwoFactor(deps, row))', 'false', twoFactor],
	[`${server}/platform/auth/sessions.queries.ts`, ".where('role', '=', 'user')", '', viewAs],
	[`${server}/platform/auth/sessions.queries.ts`, ".where('active', '=', 1)", '', viewAs],
	[`${server}/platform/realtime/live-connections.ts`, 'hint.isCleared === true', 'false', chatFiles],
	[`${server}/platform/realtime/live-connections.ts`, 'sessionIds === undefined) endWhere', 'false) endWhere', viewAs],
	[`${server}/features/account/sign-in.service.ts`, 'user.totp_confirmed_at === null', 'true', twoFactor],
	[`${server}/features/account/sign-in.service.ts`, 'code === null ? null', 'code === undefined ? null', twoFactor],
	[
		`${server}/features/account/sign-in.service.ts`,
		'current.totp_confirmed_at !== user.totp_confirmed_at',
		'false',
		twoFactor,
	],
	[`${server}/features/two-factor/two-factor.sign-in.service.ts`, '!isUsed', 'false', twoFactor],
	[
		`${server}/features/two-factor/two-factor.queries.ts`,
		"where('totp_last_step', '<', step)",
		"where('totp_last_step', '>', -1)",
		twoFactor,
	],
	[
		`${server}/features/two-factor/two-factor.service.ts`,
		'await verifyPassword(user.password_hash, password)',
		'true',
		twoFactor,
	],
	[`${server}/features/two-factor/two-factor.service.ts`, 'caller.actor?.userId === userId', 'false', twoFactor],
	[
		`${server}/features/two-factor/two-factor.requirement.service.ts`,
		'(own?.since ?? null) === null',
		'false',
		twoFactor,
	],
	[`${server}/platform/auth/sessions.ts`, 'row.active === 0', 'false'],
	[`${server}/platform/auth/sessions.ts`, 'row.endedAt !== null', 'false'],
	[`${server}/platform/auth/sessions.ts`, 'row.expiresAt <= now', 'false'],
	[
		`${server}/platform/auth/sessions.queries.ts`,
		".where('user_id', '=', which.userId)",
		".where('user_id', '!=', '')",
	],
	[`${server}/platform/auth/sessions.queries.ts`, ".where('user_id', '=', userId)", ".where('user_id', '!=', '')"],
	[
		`${server}/platform/auth/known-devices.ts`,
		"id !== '' && timingSafeEqual",
		"id !== '' || timingSafeEqual",
		sessions,
	],
	[`${server}/features/account/change-password.ts`, 'isRight === null', 'false', sessions],
	[`${server}/features/account/sign-in.service.ts`, 'user !== undefined && isRight', 'user !== undefined', account],
	[`${server}/features/account/sign-in.service.ts`, 'current.active === 0', 'false', account],
	[
		`${server}/features/files/files.policy.ts`,
		"actor.role === 'admin' || ownerId === 'guest'",
		"true || ownerId === 'guest'",
	],
	[`${server}/features/files/files.policy.ts`, "ownerId === 'guest' ||", 'true ||'],
	[`${server}/features/files/files.policy.ts`, 'ownerId === actor.userId', 'true'],
	[`${server}/features/files/files.policy.ts`, "return actor.role === 'admin';", 'return true || actor;'],
	[
		`${server}/features/files/files.access.ts`,
		'const isOpen = (row: queries.NodeRow) => canReadSpace(actor, row.owner_id)',
		'const isOpen = (_row: queries.NodeRow) => true',
	],
	[
		`${server}/features/files/arrival.service.ts`,
		'if (replacedId !== null) await passExclusionsOn',
		'if (deps === null) await passExclusionsOn',
		sharing,
	],
	[
		`${server}/features/files/files.listing.ts`,
		'return recipientId === null ? packCursor(last)',
		'return last !== null ? packCursor(last)',
		sharing,
	],
	[`${server}/features/chat/chat.service.ts`, "actor.role !== 'admin' || !(await", 'false || !(await', chat],
	[`${server}/features/chat/chat.service.ts`, "actor.userId === userId || actor.role === 'admin';", 'true;', chat],
	[`${server}/features/chat/chat.service.ts`, '!(await findEmailsOf(db, [userId])).has(userId)', 'false', chat],
	[`${server}/features/chat/chat.service.ts`, '!(await lockUserStays(tx, userId))', 'false', chat],
	[`${server}/features/chat/chat.service.ts`, "actor.role === 'admin' ? 'admin' : 'user'", "'admin'", chat],
	[`${server}/features/chat/chat.service.ts`, 'Math.max(cleared, input.after ?? 0)', 'input.after ?? 0', chat],
	[`${server}/features/chat/chat.service.ts`, 'Math.max(cleared, around - 1)', 'around - 1', chatSearch],
	[`${server}/features/chat/chat-files.queries.ts`, "\t\t.where('messages.user_id', '=', userId)\n", '', chatFiles],
	[
		`${server}/features/chat/chat-files.queries.ts`,
		"whereRef('messages.sequence', '>', 'conversations.cleared_through')",
		"whereRef('messages.sequence', '>=', 'messages.sequence')",
		chatFiles,
	],
	[`${server}/features/chat/chat-person.service.ts`, 'user.active === 0', 'false', chatPerson],
	[`${server}/features/chat/chat-person.service.ts`, 'role: user.role', "role: 'admin'", chatPerson],
	[`${server}/features/chat/canned-replies.queries.ts`, ".where('version', '=', version)", '', cannedReplies],
	[`${server}/features/chat/canned-replies.service.ts`, 'said !== undefined', 'false', cannedReplies],
	[
		`${server}/features/files/blobs.queries.ts`,
		"whereRef('canned_reply_files.blob_id', '=', 'blobs.id')",
		"whereRef('canned_reply_files.blob_id', '=', 'canned_reply_files.id')",
		cannedReplies,
	],
	[`${server}/platform/realtime/recent-hints.ts`, "audience.to === 'conversation' && isAdmin", 'false', chat],
	[`${server}/features/files/files.access.ts`, "nearest?.entry.kind === 'share'", 'true', sharing],
	[`${server}/features/files/files.access.ts`, "nearest?.entry.kind === 'share'", 'nearest !== null', sharing],
	[`${server}/features/files/files.access.ts`, 'canShareSpace(row.owner_id)', 'true', sharing],
	[`${server}/features/files/files.access.ts`, 'chain.findLast', 'chain.find', sharing],
	[`${server}/features/files/files.access.ts`, 'standings.filter(isReadable).map', 'standings.map', sharing],
	[
		`${server}/features/files/files.listing.ts`,
		'const isOpen = canReadSpace(actor, space.id)',
		'const isOpen = true || actor',
	],
	[`${server}/features/files/files.listing.ts`, 'pathBelow(folder) !== path', 'false', sharing],
	[`${server}/features/files/files.listing.ts`, ').filter(isReadable);', ');', sharing],
	[`${server}/features/files/files.queries.ts`, 'query.recipientId !== null) page', 'false) page', sharing],
	[`${server}/features/sharing/sharing.views.ts`, '!files.isReadable(standing)', 'false', sharing],
	[`${server}/features/sharing/sharing.service.ts`, 'kept.active !== 1', 'false', sharing],
	[
		`${server}/features/course/course.service.ts`,
		'standing === undefined || !files.isReadable(standing)) throw',
		'false) throw',
		course,
	],
	[`${server}/platform/realtime/live-connections.ts`, '(await connection.mayGoOn())', 'true', sharingLive],
	[`${server}/features/files/files.nodes.ts`, 'folders.every((folder) => folder !== undefined) ?', 'true ?', files],
	[
		`${server}/features/files/files.queries.ts`,
		"where('nodes.id', 'in', ids).where('nodes.deleted_at', 'is', null)",
		"where('nodes.id', 'in', ids)",
		files,
	],
	[
		`${server}/features/files/files.routes.ts`,
		'service.requireNode(deps.db, request.caller, request.params.id)',
		'service.findLiveNode(deps.db, request.params.id)',
	],
	[
		`${server}/features/files/thumbnails.service.ts`,
		'await requireNode(deps.db, caller, nodeId);\n\t// A picture',
		'await files.findAnyNode(deps.db, nodeId);\n\t// A picture',
	],
	[
		`${server}/features/archive/archive.service.ts`,
		'await requireNodes(deps.db, caller, ids)',
		"await (await import('../files/files.queries.ts')).findNodes(deps.db, [...ids])",
	],
	[
		`${server}/features/archive/archive.service.ts`,
		'await requireNode(this.#deps.db, this.#caller, node.id)',
		"await (await import('../files/files.queries.ts')).findAnyNode(this.#deps.db, node.id)",
		archive,
	],
	[
		`${server}/features/archive/archive.service.ts`,
		'mayStillReadBytes(this.#deps.db, this.#caller, this.#current)',
		'mayStillRead(this.#deps.db, this.#caller, [this.#current])',
		markedCopies,
	],
	[`${server}/features/visits/visit-recorder.ts`, "actor?.role === 'admin'", 'false', visits],
	[`${server}/features/uploads/uploads.service.ts`, 'upload.user_id !== caller.actor?.userId', 'false'],
	[`${server}/features/export/export.routes.ts`, 'actor.viewedBy !== null', 'false', 'test/http/export.test.ts'],
	[
		`${server}/features/removal/removal.service.ts`,
		'caller.actor === null || !activeAdmins.includes(caller.actor.userId)',
		'caller.actor === null',
		'test/http/removal.test.ts',
	],
	[
		`${server}/features/reader/reader.service.ts`,
		"if (!parsed.success || (await findAccess(deps, caller)) !== 'open') throw",
		'if (!parsed.success) throw',
		reading,
	],
	[
		`${server}/features/reader/reading-documents.service.ts`,
		'await requireNode(deps.db, caller, id)',
		"(await (await import('../files/files.queries.ts')).findNodes(deps.db, [id]))[0]",
		reading,
	],
	[`${server}/features/reader/reading-documents.service.ts`, "!== 'pdf'", "=== 'image'", reading],
	[`${server}/features/reader/reading.service.ts`, 'before.document !== document.id', 'false', reading],
	[`${server}/features/reader/reading.service.ts`, 'viewedBy === null ?', 'true ?', reading],
	[`${server}/features/reader/reading.service.ts`, 'kept.count >= limits.marksMax', 'false', reading],
	[`${server}/features/reader/reading.service.ts`, 'readAt < now ? readAt : now', 'readAt', reading],
	[`${server}/features/reader/reading.routes.ts`, 'caller.actor.viewedBy !== null', 'false', reading],
	[
		`${server}/features/reader/reading-export.service.ts`,
		'await findDocument(deps, caller, id)',
		'{ nameIn: () => id }',
		reading,
	],
	[
		`${server}/features/reader/reading-stats.queries.ts`,
		".where(sql<number>`users.active + 0`, '=', 1)",
		'',
		readingStats,
	],
	[`${server}/features/reader/reading-stats.queries.ts`, ".where('users.role', '=', 'user')", '', readingStats],
	[`${server}/features/reader/reading-stats.queries.ts`, '.where(hasBookAccess)', '', readingStats],
	[`${server}/features/reader/reading-stats.service.ts`, 'await recordAsking(deps, caller)', '', readingStats],
	[
		`${server}/features/outlines/outlines.service.ts`,
		"(await getShelf(deps, caller)).access !== 'open'",
		'false',
		outlinePairs,
	],
	[`${server}/features/outlines/outlines.service.ts`, 'now.en.id !== en || now.hi.id !== hi', 'false', outlinePairs],
	[`${server}/features/outlines/outlines.service.ts`, 'if (!isKnown)', 'if (false)', outlinePairs],
	[`${server}/features/outlines/outlines.service.ts`, 'else if (isTwice)', 'else if (false)', outlinePairs],
	[`${server}/features/reader/reader.service.ts`, "caller.actor.role === 'admin' ?", 'true ?'],
	[`${server}/features/reader/reader.service.ts`, "if (caller.actor.role === 'admin')", 'if (true)', markedCopies],
	[`${server}/features/reader/reader.service.ts`, 'isAdmin ? await', 'true ? await'],
	[`${server}/features/reader/reader.service.ts`, 'wish.version !== blob.id', 'false', markedCopies],
	[`${server}/features/reader/reader.service.ts`, 'wish.isDownload && !isAdmin', 'false', markedCopies],
	[`${server}/features/reader/reader.service.ts`, "access === 'open' ? [", 'true ? [', chatPerson],
	[
		`${server}/features/copies/copies.plan.service.ts`,
		"(await findBookAccess(db, userId)) !== 'open'",
		'false',
		markedCopies,
	],
	[`${server}/features/copies/copies.plan.service.ts`, 'row.source_id !== wish.sourceId', 'false', markedCopies],
	[`${server}/features/files/files.access.ts`, '(await isOfEdition(db, blob.sha256))', 'false', markedCopies],
	[
		`${server}/features/files/thumbnails.service.ts`,
		'await requireBytes(deps.db, caller, node.blob_id);',
		'',
		markedCopies,
	],
	[
		`${server}/features/storefront/order-page.service.ts`,
		"(order.note_at ?? '') < link.created_at",
		'false',
		orderPage,
	],
	[`${server}/features/storefront/order-page.service.ts`, "order.status !== 'Complete'", 'false', orderPage],
	[
		`${server}/features/storefront/order-page.service.ts`,
		'name: typed?.name ?? order.name',
		'name: order.name',
		orderPage,
	],
	[
		`${server}/features/storefront/order-page.service.ts`,
		"(old?.last_login_at ?? '') >= link.created_at",
		'false',
		orderPage,
	],
	[
		`${server}/features/storefront/order-page.service.ts`,
		'!hasOthers && (await isMadeByAndUnused',
		'(await isMadeByAndUnused',
		orderPage,
	],
	[
		`${server}/features/storefront/order-page.service.ts`,
		'if (link.email === null) throw',
		'if (false) throw',
		orderPage,
	],
	[`${server}/features/orders/orders-change.service.ts`, 'order.note !== input.was', 'false', orderPage],
	[`${server}/features/orders/orders-complete.service.ts`, 'order.version !== version', 'false', ordersDesk],
	[`${server}/features/orders/orders-complete.service.ts`, "order.status === 'Complete'", 'false', ordersDesk],
	[`${server}/features/orders/orders-complete.service.ts`, 'use !== undefined', 'false', ordersStatement],
	[`${server}/features/orders/statement.service.ts`, 'if (use !== undefined)', 'if (false)', ordersStatement],
	[`${server}/features/orders/statement.service.ts`, 'orders.length > 1', 'false', ordersStatement],
	[`${server}/features/orders/statement.service.ts`, 'if (isShared)', 'if (false)', ordersStatement],
	[`${server}/features/orders/statement.service.ts`, 'flagged.has(id)', 'false', ordersStatement],
	[`${server}/features/orders/statement.service.ts`, '!isDayFit(', 'false && !isDayFit(', ordersStatement],
	[`${server}/features/orders/statement-lines.ts`, '!isOwn(each)', 'true', ordersStatement],
	[`${server}/features/orders/statement-lines.ts`, "money.direction === 'unclear'", 'false', ordersStatement],
	[`${server}/features/orders/orders.queries.ts`, 'row.isComplete === 1', 'true'],
	[`${server}/features/settings/settings.service.ts`, 'book.qrBlobId === blobId', 'true'],
	[`${server}/platform/http/guard.ts`, 'request.raw.complete === false', 'false', 'test/http/live.test.ts'],
	[`${server}/platform/realtime/recent-hints.ts`, "actor.role === 'admin'", 'true', 'test/http/live.test.ts'],
	[`${server}/platform/realtime/recent-hints.ts`, 'actor.userId === audience.userId', 'true', 'test/http/live.test.ts'],
	[`${server}/platform/http/screens.ts`, '!maySeeScreen(screen, role)', 'false', 'test/http/screens.test.ts'],
	[`${server}/platform/http/operations.ts`, '!mayReadMetrics(deps, request)', 'false', 'test/http/screens.test.ts'],
];

/**
 * Every check that can be taken out: each `access:` declaration opened to all, each rule made true.
 * @throws Error when a check named here no longer stands in its file exactly once
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

/** The file's text with the check taken out. */
export function mutate(code: string, { from, to, at }: Mutation): string {
	let place = -1;
	for (let i = 0; i <= at; i += 1) place = code.indexOf(from, place + 1);
	if (place < 0) throw new Error(`"${from}" is not there ${at + 1} times.`);
	return code.slice(0, place) + to + code.slice(place + from.length);
}

function count(file: string, text: string): number {
	return readFileSync(file, 'utf8').split(text).length - 1;
}
