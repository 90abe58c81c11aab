import * as z from 'zod';
import { cursor, pageSize, searchText, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { fileFilters } from './file-types.ts';

/** A folder or file. `path` is the chain of realPaths of the folder it stands in, '' at the root. */
export const node = z.object({
	id: z.string(),
	kind: z.enum(['folder', 'file']),
	name: z.string(),
	path: z.string(),
	/** A folder's own identity; null for files. */
	realPath: z.string().nullable(),
	/** Bytes; 0 for folders. */
	size: z.number(),
	uploadedAt: timestamp,
	/** Direct children of a folder; 0 for files. */
	itemCount: z.number(),
	/** In search results, the names of the folders it stands in, from the root; null in a folder's own list. */
	folders: z.array(z.string()).nullable(),
	/** Address of the bytes (`?download=1` for an attachment); null for folders. */
	url: z.string().nullable(),
	/** Decided by content where the ending leaves it open; null offers a download only. */
	preview: z.enum(['image', 'video', 'audio', 'pdf']).nullable(),
	/**
	 * Address of a small picture (WebP, at most 400 pixels a side); null when there is none. Asked for before it is made,
	 * it answers 404, is made then, and a hint tells of it. A film has one after somebody who may write has sent it.
	 */
	thumb: z.string().nullable(),
});
export type Node = z.infer<typeof node>;

export const fileErrors = defineErrors({
	FOLDER_NAME_REQUIRED: { status: 422, messageKey: 'error_folder_name_required' },
	NAME_EXISTS: { status: 409, messageKey: 'error_name_exists' },
	FILE_EXISTS: { status: 409, messageKey: 'error_file_exists' },
	NAME_INVALID: { status: 422, messageKey: 'error_name_invalid' },
	NAME_TOO_LONG: { status: 422, messageKey: 'error_name_too_long' },
	UPLOAD_TOO_LARGE: { status: 413, messageKey: 'error_upload_too_large' },
	UPLOAD_OFFSET: { status: 409, messageKey: 'error_upload_offset' },
	UPLOAD_LOCKED: { status: 423, messageKey: 'error_upload_locked' },
	FOLDER_GONE: { status: 404, messageKey: 'error_folder_gone' },
	INTO_ITSELF: { status: 409, messageKey: 'error_into_itself' },
	TOO_DEEP: { status: 422, messageKey: 'error_too_deep' },
	QUOTA_NEEDS_BOTH: { status: 402, messageKey: 'error_quota_needs_both' },
	QUOTA_EXCEEDED: { status: 402, messageKey: 'error_quota_exceeded' },
});

/** Whose space: an address, `me`, or one of the reserved owners `guest` and `book`. */
export const owner = z.string().max(300);
const path = z.string().max(2000).default('');
/** How long a name may be, the service says; beyond this none is even looked at. */
const typedName = z.string().max(10_000, 'error_name_too_long');
export const nodeId = z.string().max(100);
/** Some of a listing's rows at once. */
const nodeIds = z.array(nodeId).min(1).max(limits.nodesPerCallMax, 'error_too_many_at_once');

/** What became of many nodes at once: each is done or says why not, and one refusal does not hold up the rest. */
const bulkResult = z.object({
	done: z.array(z.object({ id: z.string(), node })),
	/** `code` and `message` as in a failed call. */
	refused: z.array(z.object({ id: z.string(), name: z.string(), code: z.string(), message: z.string() })),
});
export type BulkResult = z.infer<typeof bulkResult>;

/** A node in the trash, with what it took along. */
export const trashedNode = z.object({
	id: z.string(),
	kind: z.enum(['folder', 'file']),
	name: z.string(),
	/** Names of the folders it stood in, from the root. */
	folders: z.array(z.string()),
	/** Bytes of the file, or of everything in the folder. */
	size: z.number(),
	deletedAt: timestamp,
	/** When it goes for good by itself. */
	expiresAt: timestamp,
});
export type TrashedNode = z.infer<typeof trashedNode>;

/** What became of paths of folder names, in their order: the folder's chain of realPaths, or why not. */
const ensuredFolders = z.object({
	items: z.array(
		z.object({ path: z.string().nullable(), code: z.string().nullable(), message: z.string().nullable() }),
	),
	created: z.number(),
});
export type EnsuredFolders = z.infer<typeof ensuredFolders>;

const space = z.object({ id: z.string(), email: z.string() });

export const sortKeys = ['name', 'size', 'date'] as const;

export const files = {
	/**
	 * Folders first, then files, each by the sort asked for; by name is the specified order. With a search: every folder
	 * and file of the space whose name holds the text, wherever it stands. Members read their own space and `guest`;
	 * all else is 404.
	 */
	list: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/spaces/{owner}/nodes', summary: 'List a folder, or search a space by name' })
		.input(
			z.object({
				owner,
				path,
				search: searchText,
				type: z.enum(fileFilters).default('all'),
				sort: z.enum(sortKeys).default('name'),
				order: z.enum(['asc', 'desc']).default('asc'),
				/** Only one kind: `folder` for choosing a place to move to. */
				kind: z.enum(['folder', 'file']).optional(),
				cursor,
				/** The `nextCursor` of an earlier call: nothing beyond where it stood, so that a part can be read again. */
				until: cursor,
				limit: pageSize,
			}),
		)
		.output(
			z.object({
				/** From the root (excluded) to the folder shown. */
				breadcrumb: z.array(z.object({ id: z.string(), name: z.string(), path: z.string() })),
				items: z.array(node),
				nextCursor: z.string().nullable(),
				/** Of the whole folder, without search and filter. */
				totals: z.object({ folders: z.number(), files: z.number(), size: z.number() }),
				/** What the caller may do here; screens never derive it from roles. */
				can: z.object({ write: z.boolean() }),
				/** What the whole space holds, its trash included, and may hold; null for whoever may not write. */
				use: z.object({ usedBytes: z.number(), quotaBytes: z.number().nullable() }).nullable(),
				space,
			}),
		),
	/** What a preview needs of one file, wherever it stands; a folder is none. NOT_FOUND, alike for absent and forbidden. */
	get: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/files/{id}', summary: 'One file' })
		.input(z.object({ id: nodeId }))
		.output(
			z.object({
				file: node.pick({ id: true, name: true, size: true, preview: true, thumb: true }).extend({ url: z.string() }),
				spaceId: z.string(),
			}),
		),
	/** FOLDER_NAME_REQUIRED, NAME_EXISTS, NAME_INVALID, NAME_TOO_LONG, TOO_DEEP, FOLDER_GONE. */
	createFolder: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/spaces/{owner}/folders', summary: 'Create a folder' })
		.input(z.object({ owner, path, name: typedName }))
		.output(node),
	/** Finds or makes the folders of a dropped tree; one path that is refused does not hold up the rest. NOT_FOUND, FOLDER_GONE. */
	ensureFolders: endpoint
		.meta({ access: 'admin', bodyLimitBytes: 4 * 1024 * 1024 })
		.route({ method: 'POST', path: '/api/spaces/{owner}/folder-paths', summary: 'Find or make whole paths of folders' })
		.input(
			z.object({
				owner,
				path,
				/** Each a path of folder names below `path`. */
				paths: z
					.array(z.array(typedName).min(1).max(limits.folderDepthMax))
					.min(1)
					.max(limits.nodesPerCallMax, 'error_too_many_at_once'),
			}),
		)
		.output(ensuredFolders),
	/** The same refusals as createFolder. A folder's identity, and so everything below, stays where it is. */
	rename: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/nodes/{id}/rename', summary: 'Rename a folder or file' })
		.input(z.object({ id: nodeId, name: typedName }))
		.output(node),
	/** Into another folder of the same space, with everything below. Refusals: NAME_EXISTS, FILE_EXISTS, INTO_ITSELF, TOO_DEEP, NOT_FOUND. */
	move: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/nodes/move', summary: 'Move folders and files' })
		.input(z.object({ ids: nodeIds, path }))
		.output(bulkResult),
	/** Into a folder of any space, with everything below; a large folder appears when it is whole. Refusals as move, and QUOTA_EXCEEDED. */
	copy: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/nodes/copy', summary: 'Copy folders and files' })
		.input(z.object({ ids: nodeIds, owner, path }))
		.output(bulkResult.extend({ /** Ids of folders whose copying goes on as a job. */ underWay: z.array(z.string()) })),
	/** Takes access away at once, for a folder with everything below it. */
	remove: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/nodes/{id}', summary: 'Delete a file, or a folder and its content' })
		.input(z.object({ id: nodeId }))
		.output(z.object({})),
	removeMany: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/nodes/remove', summary: 'Delete folders and files' })
		.input(z.object({ ids: nodeIds }))
		.output(z.object({ done: z.array(z.string()), refused: bulkResult.shape.refused })),
	/** What was deleted and is still kept, newest first; with a search, what has the text in its own name. */
	listTrash: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/spaces/{owner}/trash', summary: "A space's trash" })
		.input(z.object({ owner, search: searchText, cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(trashedNode),
				nextCursor: z.string().nullable(),
				/** Of what is listed, on all pages. */
				total: z.number(),
				space,
			}),
		),
	/** Back where it was, or to the root when that folder is gone; under a name with a number when its own is taken. */
	restore: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/trash/{id}/restore', summary: 'Restore from the trash' })
		.input(z.object({ id: nodeId }))
		.output(node),
	/** Many at once, each as above; one that is refused does not hold up the rest. */
	restoreMany: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/trash/restore', summary: 'Restore many from the trash' })
		.input(z.object({ ids: nodeIds }))
		.output(z.object({ done: z.array(z.string()), refused: bulkResult.shape.refused })),
	purgeMany: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/trash/purge', summary: 'Delete many from the trash for good' })
		.input(z.object({ ids: nodeIds }))
		.output(z.object({ done: z.array(z.string()), refused: bulkResult.shape.refused })),
	/** For good: the bytes go too, unless another file holds the same. */
	purge: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/trash/{id}', summary: 'Delete from the trash for good' })
		.input(z.object({ id: nodeId }))
		.output(z.object({})),
	emptyTrash: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/spaces/{owner}/trash/empty', summary: 'Empty a trash for good' })
		.input(z.object({ owner }))
		.output(z.object({ count: z.number() })),
};

/** Where a film's poster goes (multipart/form-data: file). */
export function posterPath(nodeId: string): string {
	return `/api/files/${nodeId}/poster`;
}

/**
 * The tus endpoint. Metadata at creation: `owner`, `path`, `filename`, `filetype`, and `conflict` (`skip` unless said).
 * Admins only; another's upload is absent.
 */
export const uploadsPath = '/api/uploads';

/** Where folders and files are packed as one ZIP: `?ids=` with their ids, a comma between them. */
export const zipDownloadPath = '/api/archive';

export const zipDownloadQuery = z.object({
	ids: z
		.string()
		.transform((text) => text.split(',').filter((id) => id !== ''))
		.pipe(z.array(z.string().max(100)).min(1).max(limits.zipSelectionMax)),
});

/** Address of the archive of these nodes. */
export function zipDownloadUrl(ids: readonly string[]): string {
	return `${zipDownloadPath}?ids=${ids.map(encodeURIComponent).join(',')}`;
}
