import * as z from 'zod';
import { groupMember, groupRef } from '../accounts/groups.ts';
import { cursor, pageOf, pageSize, recordId, searchText, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { bulkResult, listQuery, node, nodeId, nodeIds } from '../files/files.ts';

export const sharingErrors = defineErrors({
	ALREADY_SHARED: { status: 409, messageKey: 'error_already_shared' },
	NOT_SHARED: { status: 409, messageKey: 'error_not_shared' },
	SHARE_WITH_ONESELF: { status: 409, messageKey: 'error_share_with_oneself' },
	SHARE_WITH_OWNER: { status: 409, messageKey: 'error_share_with_owner' },
	SHARE_FOR_EVERYBODY: { status: 409, messageKey: 'error_share_for_everybody' },
	SHARE_OF_BOOK: { status: 409, messageKey: 'error_share_of_book' },
	RECIPIENT_UNKNOWN: { status: 404, messageKey: 'error_recipient_unknown' },
	RECIPIENT_INACTIVE: { status: 409, messageKey: 'error_recipient_inactive' },
});

const email = z.string().max(300);

const shared = { sharedWith: z.string(), sharedBy: z.string(), sharedAt: timestamp };

/**
 * The specification's `sharedFolders` document (section 3). `folderPath`: the realPath of each folder from the top of
 * the space to this folder. IDs are derived from paths and can collide, so they are never used for lookups.
 */
export const sharedFolder = z.object({ id: z.string(), folderPath: z.string(), ...shared });

/** The specification's `sharedFiles` document. `filePath`: realPaths of the folders, then the name. */
export const sharedFile = z.object({
	id: z.string(),
	filePath: z.string(),
	fileName: z.string(),
	fileUrl: z.string(),
	...shared,
});

/** A node that the recipient can read, with the share that decides this. */
export const sharedItem = z.object({ node, share: z.union([sharedFolder, sharedFile]) });
export type SharedItem = z.infer<typeof sharedItem>;
export type ShareRecord = SharedItem['share'];

const sharedPage = pageOf(sharedItem);

/** Contents of a shared folder, without the nodes excluded for the recipient. */
const sharedContent = z.object({
	folder: node,
	/** The listed folder and the folders above it that the recipient may read, outermost first. */
	breadcrumb: z.array(z.object({ id: z.string(), name: z.string(), path: z.string() })),
	items: z.array(node),
	nextCursor: z.string().nullable(),
	totals: z.object({ folders: z.number(), files: z.number(), size: z.number() }),
});

const listInput = listQuery.omit({ kind: true, until: true }).shape;

/**
 * A recipient's access to a node. `own`: by a share of the node itself; `inherited`: by a share of a folder above;
 * `excluded`: no access, by an exclusion; `open`: the recipient owns the node or every active user may read it; `none`:
 * no access, because there is neither a share nor an exclusion.
 */
export const shareState = z.object({
	id: z.string(),
	state: z.enum(['own', 'inherited', 'excluded', 'open', 'none']),
	/** The folder above whose share or exclusion decides the state; null when no folder above decides it. */
	from: z.object({ id: z.string(), name: z.string() }).nullable(),
	/** The group whose share or exclusion decides the state; null for one of the recipient's own. */
	group: groupRef.nullable(),
	/** Whether a node below has its own share or exclusion for the recipient. */
	hasEntriesBelow: z.boolean(),
});
export type ShareState = z.infer<typeof shareState>;

const shareReason = z.object({
	canRead: z.boolean(),
	/** The node whose share or exclusion decides. */
	from: z.object({ id: z.string(), name: z.string(), isItself: z.boolean() }),
	sharedBy: z.string(),
	sharedAt: timestamp,
});
export type ShareReason = z.infer<typeof shareReason>;

/** A user who may read a node or is excluded from it; `group`: whose share or exclusion decides, if not the user's own. */
export const shareRecipient = groupMember
	.pick({ id: true, email: true, name: true, active: true })
	.extend({ ...shareReason.shape, group: groupRef.nullable() });
export type ShareRecipient = z.infer<typeof shareRecipient>;

/** A group with a share or exclusion on a node or on a folder above it. */
export const shareGroup = shareReason.extend({ group: groupRef });
export type ShareGroup = z.infer<typeof shareGroup>;

/** A user by email address, or a group, also a computed one. */
export const recipientInput = z.union([z.object({ email }), z.object({ groupId: recordId })]);
export type RecipientInput = z.infer<typeof recipientInput>;

const shareResult = z.object({ state: shareState });

export const sharing = {
	/** Lists the nodes shared with the caller, folders first; a search also finds nodes inside shared folders. */
	listMine: endpoint('member', 'GET /api/shared', 'List the nodes shared with you')
		.input(z.object(listInput))
		.output(sharedPage),
	/** Lists a folder shared with the caller. NOT_FOUND for an unknown or forbidden folder. */
	contentMine: endpoint('member', 'GET /api/shared/{id}/nodes', 'List a folder shared with you')
		.input(z.object({ id: nodeId, ...listInput }))
		.output(sharedContent),
	/** Lists the shared nodes that the recipient sees. RECIPIENT_UNKNOWN. */
	list: endpoint('admin', 'GET /api/shares', 'List the nodes shared with a user')
		.input(z.object({ email, search: searchText, cursor, limit: pageSize }))
		.output(
			sharedPage.extend({
				/** `owner`: the email address of the space's owner; `group`: through which the recipient reads the node. */
				items: z.array(sharedItem.extend({ owner: z.string(), group: groupRef.nullable() })),
				/** The recipient. Admins (`isAdmin`) may read everything, shared or not. */
				person: z.object({ id: z.string(), email: z.string(), active: z.boolean(), isAdmin: z.boolean() }),
			}),
		),
	/** Lists a folder as the recipient sees it. NOT_FOUND, RECIPIENT_UNKNOWN. */
	content: endpoint('admin', 'GET /api/shares/{id}/nodes', 'List a shared folder as the recipient sees it')
		.input(z.object({ id: nodeId, email, ...listInput }))
		.output(sharedContent.extend({ owner: z.string() })),
	/** Returns a recipient's access to each node; deleted nodes are missing in the result. RECIPIENT_UNKNOWN. */
	states: endpoint('admin', 'POST /api/shares/states', "Get a user's access to folders and files")
		.input(z.object({ email, ids: nodeIds }))
		.output(z.object({ items: z.array(shareState) })),
	/** Returns the IDs of the nodes that are shared themselves, not only by a folder above. */
	marks: endpoint('admin', 'POST /api/shares/marks', 'Find out which folders and files are shared')
		.input(z.object({ ids: nodeIds }))
		.output(z.object({ ids: z.array(z.string()) })),
	/**
	 * Shares a file, or a folder with all present and future nodes below. The recipient's shares and exclusions
	 * below the folder are deleted. ALREADY_SHARED (also if inherited), SHARE_WITH_*, SHARE_FOR_EVERYBODY, SHARE_OF_BOOK,
	 * RECIPIENT_*, NOT_FOUND.
	 */
	share: endpoint('admin', 'POST /api/shares', 'Share a folder or file with a user')
		.input(z.object({ nodeId, email }))
		.output(shareResult),
	/**
	 * Shares nodes with users and groups, each as `share` does, in one transaction. A node that one recipient cannot get
	 * does not stop the others. RECIPIENT_*, GROUP_UNKNOWN and SHARE_WITH_ONESELF refuse the whole call.
	 */
	shareMany: endpoint('admin', 'POST /api/shares/many', 'Share folders and files with users and groups')
		.input(
			z.object({
				ids: nodeIds,
				/** One recipient, as in earlier versions; used when `recipients` is absent. */
				email: email.optional(),
				recipients: z
					.array(recipientInput)
					.max(limits.shareRecipientsPerCallMax, 'error_too_many_recipients')
					.optional(),
			}),
		)
		.output(
			bulkResult.extend({
				/** Each node that was not shared with a recipient: an email address or the name of a group. */
				refused: z.array(bulkResult.shape.refused.element.extend({ recipient: z.string() })),
			}),
		),
	/**
	 * Deletes a recipient's shares on a node and below it. Excludes the node, and what is shared inside it, where the
	 * recipient would still read it through a folder above or a group. NOT_SHARED, RECIPIENT_UNKNOWN, GROUP_UNKNOWN,
	 * NOT_FOUND.
	 */
	unshare: endpoint('admin', 'POST /api/shares/remove', 'Stop sharing a folder or file with a user or group')
		.input(z.union([z.object({ nodeId, email }), z.object({ nodeId, groupId: recordId })]))
		.output(shareResult),
	/**
	 * Lists the groups and users with shares and exclusions on a node or a folder above, the users sorted by email address
	 * and with those of the groups, and why each can or cannot read the node. The first page has all groups. Other admins
	 * are not listed, although they can read the node. NOT_FOUND.
	 */
	readers: endpoint('admin', 'GET /api/nodes/{id}/readers', 'List the users who can read a node')
		.input(z.object({ id: nodeId, cursor, limit: pageSize }))
		.output(
			z.object({
				/** The owner's email address; `guest`: all active users may read the node; `book`: only admins. */
				owner: z.string(),
				groups: z.array(shareGroup),
				items: z.array(shareRecipient),
				nextCursor: z.string().nullable(),
			}),
		),
	folderDocuments: endpoint('admin', 'GET /api/shared-folders', 'List the sharedFolders documents')
		.input(z.object({ email: email.optional(), cursor, limit: pageSize }))
		.output(pageOf(sharedFolder)),
	fileDocuments: endpoint('admin', 'GET /api/shared-files', 'List the sharedFiles documents')
		.input(z.object({ email: email.optional(), cursor, limit: pageSize }))
		.output(pageOf(sharedFile)),
};
