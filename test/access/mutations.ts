import { globSync, readFileSync } from 'node:fs';

/** Removes one access check from a source file. */
export interface Mutation {
	file: string;
	/** The text to replace. `at`: which occurrence of the text is replaced, counted from 0. */
	from: string;
	to: string;
	at: number;
	/** The test file that must fail with this mutation. */
	killedBy: string;
}

/**
 * The access checks in each file, except the access declarations of routes. Each item is the text to replace, the new
 * text, and the name of the test file that must fail. The default test file is `access`.
 */
const checks: Readonly<Record<string, ReadonlyArray<readonly [from: string, to: string, killedBy?: string]>>> = {
	'platform/http/guard.ts': [
		["request.session.state === 'inactive'", 'false'],
		['request.caller.actor === null', 'false'],
		["request.caller.actor.role !== 'admin'", 'false'],
		['!readMethods.has(request.method)', 'false', 'sign-in'],
		['request.caller.actor.mustSetUpTwoFactor', 'false', 'two-factor'],
		['isReadOnly && !isOpenInView', 'false', 'impersonation'],
		['request.raw.complete === false', 'false', 'event-streams'],
	],
	'platform/http/own-origin.ts': [
		["site === 'cross-site' || site === 'same-site'", 'false', 'sign-in'],
		['!hasProxy(config) && loopbackNames.has(hostname)', 'true', 'sign-in'],
		['URL.parse(headers.origin)?.origin !==', 'false && URL.parse(headers.origin)?.origin !==', 'checkout'],
	],
	'platform/http/screens.ts': [
		['request.caller.actor?.mustSetUpTwoFactor', 'false', 'two-factor'],
		['!canSeeScreen(screen, role)', 'false', 'screens'],
	],
	'platform/auth/sessions/sessions.ts': [
		['viewEndsAt <= now', 'false', 'impersonation'],
		["row.role !== 'admin' || must", 'false || must', 'impersonation'],
		['|| mustSetUpTwoFactor(row)', '|| false', 'two-factor'],
		['row.active === 0', 'false'],
		['row.endedAt !== null', 'false'],
		['row.expiresAt <= now', 'false'],
	],
	'platform/auth/sessions/sessions.queries.ts': [
		[".where('role', '=', 'user')", '', 'impersonation'],
		[".where('active', '=', 1)", '', 'impersonation'],
		[".where('user_id', '=', which.userId)", ".where('user_id', '!=', '')"],
		[".where('user_id', '=', userId)", ".where('user_id', '!=', '')"],
	],
	'platform/http/abort-on-session-end.ts': [
		['=== request.revocationsBeforeCheck', '!== null', 'open-requests-after-role-change'],
		['(await isStillAllowed())', 'true', 'open-requests-after-role-change'],
	],
	'platform/http/responses/send-bytes.ts': [['length > handOverMaxBytes', 'false', 'nginx-hand-over']],
	'platform/realtime/live-connections.ts': [
		['revocationCount += 1;', '', 'open-requests-after-role-change'],
		['event.isCleared === true', 'false', 'chat-files'],
		['sessionIds === undefined) endWhere', 'false) endWhere', 'impersonation'],
		['(await connection.isStillAllowed())', 'true', 'access-revocation'],
	],
	'features/accounts/sign-in/sign-in.service.ts': [
		['user.totp_confirmed_at === null', 'true', 'two-factor'],
		['code === null ? null', 'code === undefined ? null', 'two-factor'],
		['current.totp_confirmed_at !== user.totp_confirmed_at', 'false', 'two-factor'],
		['user !== undefined && isRight', 'user !== undefined', 'sign-in'],
		['current.active === 0', 'false', 'sign-in'],
	],
	'features/accounts/administration/administration.service.ts': [['activeAdmins.size === 1', 'false', 'user-roles']],
	'features/accounts/saved-filters/saved-filters.queries.ts': [
		[".where('id', '=', id)\n\t\t.where('user_id', '=', userId)", ".where('id', '=', id)", 'saved-filters'],
	],
	'features/bulk-actions/bulk-actions.service.ts': [['id !== ownId', 'true', 'bulk-actions']],
	'features/accounts/two-factor/code-verification.ts': [['!isUsed', 'false', 'two-factor']],
	'features/accounts/two-factor/two-factor.queries.ts': [
		["where('totp_last_step', '<', step)", "where('totp_last_step', '>', -1)", 'two-factor'],
	],
	'features/accounts/two-factor/two-factor.service.ts': [
		['await verifyPassword(user.password_hash, password)', 'true', 'two-factor'],
		['caller.actor?.userId === userId', 'false', 'two-factor'],
	],
	'features/accounts/two-factor/admin-requirement.ts': [['(own?.since ?? null) === null', 'false', 'two-factor']],
	'platform/auth/sessions/known-devices.ts': [
		["id !== '' && timingSafeEqual", "id !== '' || timingSafeEqual", 'sign-in-limits'],
	],
	'features/accounts/passwords/change-password.ts': [['isRight === null', 'false', 'sessions']],
	'features/files/spaces/spaces.policy.ts': [
		["actor.role === 'admin' || ownerId === 'guest'", "true || ownerId === 'guest'"],
		["ownerId === 'guest' ||", 'true ||'],
		['ownerId === actor.userId', 'true'],
		["return actor.role === 'admin';", 'return true || actor;'],
	],
	'features/accounts/groups/groups.queries.ts': [
		["where('users.active', '=', 1), ", '', 'group-shares'],
		['bookOwners()(where)', 'where.lit(true)', 'group-shares'],
	],
	'features/accounts/groups/groups.service.ts': [
		["if (isComputedGroup(id)) throw new AppError('GROUP_COMPUTED');", '', 'groups'],
	],
	'features/sharing/access/access.service.ts': [
		['(row: files.NodeRow) => canReadSpace(actor, row.owner_id)', '() => true'],
		["nearest?.entry.kind === 'share'", 'true', 'sharing'],
		["nearest?.entry.kind === 'share'", 'nearest !== null', 'sharing'],
		['canShareSpace(row.owner_id)', 'true', 'sharing'],
		['chain.toReversed()', 'chain', 'sharing'],
		['return own ?? rows.find', 'return rows.find', 'group-shares'],
		["rows.find(({ kind }) => kind === 'share') ?? rows[0]", 'rows[0]', 'group-shares'],
		['accesses.filter(isReadable).map', 'accesses.map', 'sharing'],
		['(await resolveAccess(db, reader, rows)).filter(isReadable)', 'await resolveAccess(db, reader, rows)', 'sharing'],
		['(await protectedContent()(db, blob.sha256))', 'false', 'watermarked-copies'],
	],
	'features/files/tree/add-file.ts': [
		['replacedId !== null) await fileAccess().copyExclusions', 'deps === null) await String', 'sharing'],
	],
	'features/files/listing/listing.service.ts': [
		['reader === null || cursor === null ? cursor', 'reader === null || cursor !== undefined ? cursor', 'sharing'],
		['const isOpen = canReadSpace(actor, space.id)', 'const isOpen = true || actor'],
		['pathBelow(folder) !== path', 'false', 'sharing'],
	],
	'features/chat/chat.service.ts': [
		["actor.role !== 'admin' || !(await", 'false || !(await'],
		["actor.userId === userId || actor.role === 'admin';", 'true;', 'chat'],
		['!(await listEmailsByUserId(db, [userId])).has(userId)', 'false', 'chat'],
		['!(await lockUserIfExists(tx, userId))', 'false', 'chat'],
		["actor.role === 'admin' ? 'admin' : 'user'", "'admin'", 'chat'],
		['Math.max(cleared, input.after ?? 0)', 'input.after ?? 0', 'chat'],
		['Math.max(cleared, around - 1)', 'around - 1', 'chat-search'],
	],
	'features/chat/chat.queries.ts': [
		["\t\t.where('messages.user_id', '=', userId)\n", '', 'chat-files'],
		[
			"whereRef('messages.sequence', '>', 'conversations.cleared_through')",
			"whereRef('messages.sequence', '>=', 'messages.sequence')",
			'chat-files',
		],
	],
	'features/chat/member-card/member-card.service.ts': [['role: user.role', "role: 'admin'", 'chat-member-details']],
	'features/orders/order-page/login-mail.ts': [['user.active === 1', 'true', 'chat-member-details']],
	'features/chat/canned-replies/canned-replies.queries.ts': [[".where('version', '=', version)", '', 'canned-replies']],
	'features/chat/canned-replies/canned-replies.service.ts': [['said !== undefined', 'false', 'canned-replies']],
	'registrations.ts': [["['canned_reply_files', 'blob_id']", "['canned_reply_files', 'id']", 'canned-replies']],
	'platform/realtime/recent-events.ts': [
		["audience.to === 'conversation' && isAdmin", 'false', 'chat'],
		["actor.role === 'admin'", 'true', 'event-streams'],
		['actor.userId === audience.userId', 'true', 'event-streams'],
	],
	'features/files/tree/tree.queries.ts': [
		['query.reader !== null) page', 'false) page', 'sharing'],
		["where('nodes.id', 'in', ids).where('nodes.deleted_at', 'is', null)", "where('nodes.id', 'in', ids)", 'files'],
	],
	'features/sharing/share-lists/share-lists.service.ts': [
		['!(await isSharedWith', 'false && !(await isSharedWith', 'sharing'],
	],
	'features/sharing/recipients.ts': [["change === 'share' && user.active !== 1", 'false', 'sharing']],
	'features/sharing/sharing.service.ts': [
		["access.nearestOfOthers?.entry.kind !== 'share'", 'true', 'sharing'],
		['files.findNodes(tx, [...new Set(ofGroups.map(({ nodeId }) => nodeId))])', '[] as Node[]', 'group-shares'],
		['folders.some(({ id }) => shared.has(id))', 'false', 'sharing'],
	],
	'features/course/course.service.ts': [["role === 'admin' ||", 'role !== null ||', 'course']],
	'features/files/tree/nodes.ts': [['folders.every((folder) => folder !== undefined) ?', 'true ?', 'files']],
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
		['await fileAccess().requireBlob(deps.db, caller, node.blob_id);', '', 'watermarked-copies'],
	],
	'features/files/zip/zip.service.ts': [
		[
			'await fileAccess().requireNodes(deps.db, caller, ids)',
			"await (await import('../tree/tree.queries.ts')).findNodes(deps.db, [...ids])",
		],
		[
			'await fileAccess().requireNode(deps.db, caller, node.id)',
			"await (await import('../tree/tree.queries.ts')).findNodeIncludingTrashed(deps.db, node.id)",
			'zip-download',
		],
		['canStillReadFile(deps.db, caller, current)', 'canStillReadAll(deps.db, caller, [current])', 'watermarked-copies'],
	],
	'features/storefront/content-files/content-files.service.ts': [
		["actor?.role === 'admin'", 'actor !== null', 'pictures'],
		['!actor.mustSetUpTwoFactor', 'true', 'pictures'],
	],
	'features/storefront/visits/visit-recorder.ts': [["actor?.role === 'admin'", 'false', 'visits']],
	'features/files/uploads/uploads.service.ts': [['upload.user_id !== caller.actor?.userId', 'false']],
	'features/user-data-export/user-data-export.routes.ts': [
		['actor.impersonatedBy !== null', 'false', 'user-data-export'],
	],
	'features/accounts/deletion/deletion.service.ts': [
		['|| !activeAdmins.includes(caller.actor.userId)', '', 'account-deletion'],
	],
	'features/book/shelf/shelf.service.ts': [
		["if ((await getAccessOfCaller(deps, caller)) !== 'open') throw", 'if (false) throw', 'reading'],
		["caller.actor.role === 'admin' ?", 'true ?'],
		["if (caller.actor.role === 'admin')", 'if (true)', 'watermarked-copies'],
		['isAdmin ? (await', 'true ? (await'],
		['editionRequest.version !== blob.id', 'false', 'watermarked-copies'],
		['editionRequest.isDownload && !isAdmin', 'false', 'watermarked-copies'],
		["access === 'open' ? await", 'true ? await', 'chat-member-details'],
	],
	'features/user-data-export/user-data-export.queries.ts': [
		[".where('user_id', '=', userId)\n\t\t.orderBy('at')", ".orderBy('at')", 'user-data-export'],
		[".where('user_id', '=', userId)\n\t\t.orderBy('created_at')", ".orderBy('created_at')", 'user-data-export'],
		[
			".where('owner_id', '=', ownerId)\n\t\t.where('kind', '=', 'file')",
			".where('kind', '=', 'file')",
			'user-data-export',
		],
		[
			".where('user_id', '=', userId)\n\t\t.where('deleted_at', 'is', null)",
			".where('deleted_at', 'is', null)",
			'user-data-export',
		],
		[".where('user_id', '=', userId)\n\t\t.orderBy('document')", ".orderBy('document')", 'user-data-export'],
		[".where('user_id', '=', userId)\n\t\t.where('annotations.id'", ".where('annotations.id'", 'user-data-export'],
		[".where('user_id', '=', userId)\n\t\t.orderBy('name_key')", ".orderBy('name_key')", 'user-data-export'],
		[".where('user_id', '=', userId)\n\t\t.orderBy('list')", ".orderBy('list')", 'user-data-export'],
		[".where('user_id', '=', userId)\n\t\t.executeTakeFirst()", '.executeTakeFirst()', 'user-data-export'],
		[".where('user_id', '=', userId)\n\t\t.where('blob_id'", ".where('blob_id'", 'user-data-export'],
		[".where('messages.user_id', '=', userId)\n", '\n', 'user-data-export'],
		[".whereRef('sequence', '>', 'cleared_through')\n", '\n', 'user-data-export'],
	],
	'features/book/reading/readable-document.ts': [
		[
			'await requireNode(deps.db, caller, id)',
			"(await (await import('../../files/tree/tree.queries.ts')).findNodes(deps.db, [id]))[0]",
			'reading',
		],
		["!== 'pdf'", "=== 'image'", 'reading'],
	],
	'features/book/reading/reading.service.ts': [
		['before.document !== document.id', 'false', 'reading'],
		['viewedBy === null ?', 'true ?', 'reading'],
		['totals.count >= limits.annotationsPerDocumentMax', 'false', 'reading'],
		['readAt < now ? readAt : now', 'readAt', 'reading'],
	],
	'features/book/reading/reading.routes.ts': [['caller.actor.impersonatedBy !== null', 'false', 'reading']],
	'features/book/reading/annotation-export.ts': [
		['await requireReadableDocument(deps, caller, id).catch(ignoreNotFound)', '{ nameIn: () => id }', 'reading'],
	],
	'features/book/reading/statistics/statistics.queries.ts': [
		[".where(sql<number>`users.active + 0`, '=', 1)", '', 'reading-statistics'],
		[".where('users.role', '=', 'user')", '', 'reading-statistics'],
		['.where(hasBookAccess)', '', 'reading-statistics'],
	],
	'features/book/reading/statistics/statistics.service.ts': [
		['await recordNamesViewed(deps, caller)', '', 'reading-statistics'],
	],
	'features/book/chapter-matching/chapter-matching.service.ts': [
		["(await getReadableEditions(deps, caller)).access !== 'open'", 'false', 'chapter-matching'],
		['now.en.id !== en || now.hi.id !== hi', 'false', 'chapter-matching'],
		['if (!isKnown)', 'if (false)', 'chapter-matching'],
		['else if (isTwice)', 'else if (false)', 'chapter-matching'],
	],
	'features/book/watermark/copy-plan.ts': [
		["(await getBookAccess(db, userId)) !== 'open'", 'false', 'watermarked-copies'],
		['row.source_id !== target.sourceId', 'false', 'watermarked-copies'],
	],
	'features/orders/order-page/order-page.service.ts': [
		["(order.note_at ?? '') < link.created_at", 'false', 'order-page'],
		["order.status !== 'Complete'", 'false', 'order-page'],
		['name: typed?.name ?? order.name', 'name: order.name', 'order-page'],
		["(old?.last_login_at ?? '') >= link.created_at", 'false', 'order-page'],
		['!hasOthers && (await isUnusedAccountOfSubmission', '(await isUnusedAccountOfSubmission', 'order-page'],
		['if (link.email === null) throw', 'if (false) throw', 'order-page'],
		['if (is_test === 1) throw', 'if (false) throw', 'test-purchase'],
	],
	'features/orders/checkout/checkout.routes.ts': [['	}\n	requireOwnOrigin(request, config);\n', '	}\n', 'checkout']],
	'features/orders/management/management.service.ts': [
		['order.note !== input.was', 'false', 'order-page'],
		['order.version !== input.version', 'false', 'concurrent-writers'],
	],
	'features/orders/management/order-completion.ts': [
		['order.version !== version', 'false', 'bulk-completion-and-reports'],
		["order.status === 'Complete'", 'false', 'bulk-completion-and-reports'],
		['use.code !== usedBy', 'false', 'statement-import'],
	],
	'features/orders/statement-import/credit-matches.ts': [
		['if (use !== undefined)', 'if (false)', 'statement-import'],
		['orders.length > 1', 'false', 'statement-import'],
		['if (isShared)', 'if (false)', 'statement-import'],
		['flagged.has(id)', 'false', 'statement-import'],
		['|| isPlausibleDay(', '|| true || isPlausibleDay(', 'statement-import'],
	],
	'features/orders/statement-import/statement-credits.ts': [
		['!isOwn(reference)', 'true', 'statement-import'],
		["direction === 'unclear'", 'false', 'statement-import'],
	],
	'features/orders/orders.queries.ts': [
		['row.isComplete === 1', 'true'],
		["		.where('is_test', '=', 0)\n", '', 'test-purchase'],
	],
	'features/orders/test-purchase/test-purchase.service.ts': [
		["row.id === id && row.state === 'file'", 'true', 'test-purchase'],
		['order?.user_id === userId', 'order !== undefined', 'test-purchase'],
	],
	'features/book/content/content.service.ts': [['book.qrBlobId === blobId', 'true']],
	'platform/http/health-and-metrics.ts': [['!canReadMetrics(deps, request)', 'false', 'screens']],
};

/**
 * Lists the mutations of {@link checks}, and for each access declaration a mutation that makes its route public.
 * @throws Error when a text does not occur exactly once in its file
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
					killedBy: findTest('access'),
				})),
			),
		);
	const rules = Object.entries(checks).flatMap(([path, changes]) =>
		changes.map(([from, to, test = 'access']) => {
			const file = `src/server/${path}`;
			if (count(file, from) !== 1)
				throw new Error(`${file} does not contain "${from}" exactly once: update test/access/mutations.ts.`);
			return { file, from, to, at: 0, killedBy: findTest(test) };
		}),
	);
	return [...declarations, ...rules];
}

export function mutate(code: string, { from, to, at }: Mutation): string {
	let start = -1;
	for (let i = 0; i <= at; i += 1) start = code.indexOf(from, start + 1);
	if (start < 0) throw new Error(`The code does not contain "${from}" ${at + 1} times.`);
	return code.slice(0, start) + to + code.slice(start + from.length);
}

/** Finds the HTTP test file with this name and any suffix. @throws Error unless exactly one file is found */
function findTest(name: string): string {
	const [file, ...others] = globSync(`test/http/**/${name}{,.slow,.heavy}.test.ts`);
	if (file === undefined || others.length > 0) throw new Error(`Not exactly one file of HTTP tests is named ${name}.`);
	return file;
}

function count(file: string, text: string): number {
	return readFileSync(file, 'utf8').split(text).length - 1;
}
