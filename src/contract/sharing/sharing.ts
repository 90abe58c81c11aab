import * as z from 'zod';
import { cursor, pageSize, searchText, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { fileFilters } from '../files/file-types.ts';
import { node, nodeId, sortKeys } from '../files/files.ts';

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

/**
 * The specification's `sharedFolders` document (section 3). `folderPath`: realPaths down to the folder itself. The id is
 * derived from it and can collide: it is given out, never looked up.
 */
export const sharedFolder = z.object({
	id: z.string(),
	folderPath: z.string(),
	sharedWith: z.string(),
	sharedBy: z.string(),
	sharedAt: timestamp,
});

/** The specification's `sharedFiles` document, its id made as a folder's. `filePath`: realPaths of the folders, then the name. */
export const sharedFile = z.object({
	id: z.string(),
	filePath: z.string(),
	fileName: z.string(),
	fileUrl: z.string(),
	sharedWith: z.string(),
	sharedBy: z.string(),
	sharedAt: timestamp,
});

/** Something shared with a person that they do not already see inside something else that is. */
export const sharedItem = z.object({ node, share: z.union([sharedFolder, sharedFile]) });
export type SharedItem = z.infer<typeof sharedItem>;
export type ShareRecord = SharedItem['share'];

const sharedPage = z.object({ items: z.array(sharedItem), nextCursor: z.string().nullable() });

/** A shared folder from inside, without what is left out for the person. */
const sharedContent = z.object({
	/** The folder itself. */
	folder: node,
	/** From the outermost folder that the person may read to the folder shown. */
	breadcrumb: z.array(z.object({ id: z.string(), name: z.string(), path: z.string() })),
	items: z.array(node),
	nextCursor: z.string().nullable(),
	totals: z.object({ folders: z.number(), files: z.number(), size: z.number() }),
});

const listInput = {
	search: searchText,
	type: z.enum(fileFilters).default('all'),
	sort: z.enum(sortKeys).default('name'),
	order: z.enum(['asc', 'desc']).default('asc'),
	cursor,
	limit: pageSize,
};

/**
 * How a node stands for one recipient. `own`: an entry on itself; `inherited`: by a folder above; `excluded`: taken out
 * of a shared folder, itself or by a folder above; `open`: everybody reads it, or it is their own; `none`.
 */
export const shareState = z.object({
	id: z.string(),
	state: z.enum(['own', 'inherited', 'excluded', 'open', 'none']),
	/** The folder whose entry decides, where it is not the node's own. */
	from: z.object({ id: z.string(), name: z.string() }).nullable(),
	/** Something below it is shared with them by an entry of its own, or left out for them. */
	hasEntriesBelow: z.boolean(),
});
export type ShareState = z.infer<typeof shareState>;

/** Somebody who may read a node, or was taken out, and why: by the entry that decides, on `from`. */
export const shareRecipient = z.object({
	id: z.string(),
	email: z.string(),
	name: z.string().nullable(),
	active: z.boolean(),
	canRead: z.boolean(),
	from: z.object({ id: z.string(), name: z.string(), isItself: z.boolean() }),
	sharedBy: z.string(),
	sharedAt: timestamp,
});
export type ShareRecipient = z.infer<typeof shareRecipient>;

const shareResult = z.object({ state: shareState });

export const sharing = {
	/**
	 * What is shared with the caller, folders first; a type filter shows files alone. With a search: everything readable by
	 * shares whose name holds the text, by name.
	 */
	listMine: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/shared', summary: 'What is shared with me' })
		.input(z.object(listInput))
		.output(sharedPage),
	/** NOT_FOUND, alike for absent and forbidden. */
	contentMine: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/shared/{id}/nodes', summary: 'A folder that is shared with me, from inside' })
		.input(z.object({ id: nodeId, ...listInput }))
		.output(sharedContent),
	/** What that person sees. RECIPIENT_UNKNOWN. */
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/shares', summary: 'What is shared with a person' })
		.input(z.object({ email, search: searchText, cursor, limit: pageSize }))
		.output(
			sharedPage.extend({
				/** `owner`: the address of whoever's storage it lies in. */
				items: z.array(sharedItem.extend({ owner: z.string() })),
				/** An admin reads everything, shared or not. */
				person: z.object({ id: z.string(), email: z.string(), active: z.boolean(), isAdmin: z.boolean() }),
			}),
		),
	/** A folder as that person sees it. NOT_FOUND, RECIPIENT_UNKNOWN. */
	content: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/shares/{id}/nodes', summary: 'A shared folder as a person sees it' })
		.input(z.object({ id: nodeId, email, ...listInput }))
		.output(sharedContent.extend({ owner: z.string() })),
	/** How these nodes stand for a person; those that are gone are left out. RECIPIENT_UNKNOWN. */
	states: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/shares/states', summary: 'How folders and files stand for a person' })
		.input(z.object({ email, ids: z.array(nodeId).min(1).max(limits.nodesPerCallMax, 'error_too_many_at_once') }))
		.output(z.object({ items: z.array(shareState) })),
	/** Which of these nodes are shared with somebody by an entry of their own. */
	marks: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/shares/marks', summary: 'Which folders and files are shared with anybody' })
		.input(z.object({ ids: z.array(nodeId).min(1).max(limits.nodesPerCallMax, 'error_too_many_at_once') }))
		.output(z.object({ ids: z.array(z.string()) })),
	/**
	 * Lets a person read a folder with everything below it, later additions too, or a file. What was decided below it for
	 * them goes. ALREADY_SHARED (inherited too), SHARE_WITH_*, SHARE_FOR_EVERYBODY, SHARE_OF_BOOK, RECIPIENT_*, NOT_FOUND.
	 */
	share: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/shares', summary: 'Share a folder or file with a person' })
		.input(z.object({ nodeId, email }))
		.output(shareResult),
	/**
	 * Takes it back, with everything below. Inside a folder that stays shared, an exclusion is kept. NOT_SHARED,
	 * RECIPIENT_UNKNOWN, NOT_FOUND.
	 */
	unshare: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/shares/remove', summary: 'Unshare a folder or file' })
		.input(z.object({ nodeId, email }))
		.output(shareResult),
	/** Who can read this, and why, by address. Admins can, beside those listed. NOT_FOUND. */
	readers: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/nodes/{id}/readers', summary: 'Who can read this, and why' })
		.input(z.object({ id: nodeId, cursor, limit: pageSize }))
		.output(
			z.object({
				/** The owner's address; `guest`: every active person reads it; `book`: nobody but admins, as a file. */
				owner: z.string(),
				items: z.array(shareRecipient),
				nextCursor: z.string().nullable(),
			}),
		),
	/** The `sharedFolders` documents, newest first. */
	folderDocuments: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/shared-folders', summary: 'The sharedFolders documents' })
		.input(z.object({ email: email.optional(), cursor, limit: pageSize }))
		.output(z.object({ items: z.array(sharedFolder), nextCursor: z.string().nullable() })),
	/** The `sharedFiles` documents, newest first. */
	fileDocuments: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/shared-files', summary: 'The sharedFiles documents' })
		.input(z.object({ email: email.optional(), cursor, limit: pageSize }))
		.output(z.object({ items: z.array(sharedFile), nextCursor: z.string().nullable() })),
};
