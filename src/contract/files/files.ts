import * as z from 'zod';
import { cursor, pageOf, pageSize, searchText, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { fileFilters } from './file-types.ts';

/** A folder or file. `path` is the chain of its parent folders' realPaths; '' at the root. */
export const node = z.object({
	id: z.string(),
	kind: z.enum(['folder', 'file']),
	name: z.string(),
	path: z.string(),
	/** Permanent path segment of a folder; null for files. */
	realPath: z.string().nullable(),
	/** Bytes; 0 for folders. */
	size: z.number(),
	uploadedAt: timestamp,
	/** Number of direct children of a folder; 0 for files. */
	itemCount: z.number(),
	/** In search results, the names of the parent folders from the root; null when a folder is listed. */
	folders: z.array(z.string()).nullable(),
	/** URL of the bytes (`?download=1` for an attachment); null for folders. */
	url: z.string().nullable(),
	/** Preview kind, decided by the content where the extension is ambiguous; null if the file can only be downloaded. */
	preview: z.enum(['image', 'video', 'audio', 'pdf']).nullable(),
	/**
	 * URL of the thumbnail (WebP, at most 400 pixels a side), or null. The first request for a thumbnail returns 404 and
	 * starts a job that makes the thumbnail; an event reports the end of the job. A video has a thumbnail once a user who
	 * may write has uploaded a poster.
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

/** Owners that are not users: `guest` for the space that all members may read, `book` for the book's files. */
export const reservedOwners = ['guest', 'book'] as const;
/** Owner of a space: an email address, `me`, or one of the reserved owners. */
export const owner = z.string().max(300);
const path = z.string().max(2000).default('');
/** Typed name. The service checks the actual length limit; this bound only rejects excessive input. */
const typedName = z.string().max(10_000, 'error_name_too_long');
export const nodeId = z.string().max(100);
export const nodeIds = z.array(nodeId).min(1).max(limits.nodesPerCallMax, 'error_too_many_at_once');

/** Result of a call on many nodes. Each node succeeds or is refused with a reason, independently of other nodes. */
export const bulkResult = z.object({
	/** IDs of the nodes that succeeded. */
	done: z.array(z.string()),
	/** `code` and `message` as in the response of a failed call. */
	refused: z.array(z.object({ id: z.string(), name: z.string(), code: z.string(), message: z.string() })),
});
export type BulkResult = z.infer<typeof bulkResult>;

/** A node in the trash, including the nodes that were deleted with it. */
export const trashedNode = z.object({
	id: z.string(),
	kind: z.enum(['folder', 'file']),
	name: z.string(),
	/** Names of the node's parent folders before deletion, from the root. */
	folders: z.array(z.string()),
	/** Bytes of the file, or of everything in the folder. */
	size: z.number(),
	deletedAt: timestamp,
	/** When the node is automatically and permanently deleted. */
	expiresAt: timestamp,
});
export type TrashedNode = z.infer<typeof trashedNode>;

/** Result for each requested path, in the same order: the folder's chain of realPaths, or the error. */
const ensuredFolders = z.array(
	z.object({ path: z.string().nullable(), code: z.string().nullable(), message: z.string().nullable() }),
);
export type EnsuredFolders = z.infer<typeof ensuredFolders>;

const space = z.object({ id: z.string(), email: z.string() });

export const sortKeys = ['name', 'size', 'date'] as const;

export const listQuery = z.object({
	search: searchText,
	type: z.enum(fileFilters).default('all'),
	sort: z.enum(sortKeys).default('name'),
	order: z.enum(['asc', 'desc']).default('asc'),
	/** The only kind of nodes to list, for example `folder` when the user chooses a destination. */
	kind: z.enum(['folder', 'file']).optional(),
	cursor,
	/** `nextCursor` of an earlier call: lists no rows after it. A browser uses it to fetch loaded rows again. */
	until: cursor,
	limit: pageSize,
});
export type ListQuery = z.infer<typeof listQuery>;

export const files = {
	/**
	 * Lists folders first, then files, each in the requested order; the specified order is by name. With a search: every
	 * folder and file of the space whose name contains the text, at any depth. Members may read their own space and
	 * `guest`; other spaces are NOT_FOUND.
	 */
	list: endpoint('member', 'GET /api/spaces/{owner}/nodes', 'List a folder, or search a space by name')
		.input(z.object({ owner, path, ...listQuery.shape }))
		.output(
			z.object({
				/** Folders from below the root to the listed folder. */
				breadcrumb: z.array(z.object({ id: z.string(), name: z.string(), path: z.string() })),
				items: z.array(node),
				nextCursor: z.string().nullable(),
				/** Totals of the whole folder, ignoring search and filter. */
				totals: z.object({ folders: z.number(), files: z.number(), size: z.number() }),
				/** What the caller may do here; screens never derive permissions from roles. */
				can: z.object({ write: z.boolean() }),
				/** Usage and quota of the whole space, its trash included; null for users who may not write. */
				use: z.object({ usedBytes: z.number(), quotaBytes: z.number().nullable() }).nullable(),
				space,
			}),
		),
	/** Returns the fields of a file for a preview. NOT_FOUND for a folder, an absent file and a forbidden file. */
	get: endpoint('member', 'GET /api/files/{id}', 'Get a file')
		.input(z.object({ id: nodeId }))
		.output(
			z.object({
				file: node.pick({ id: true, name: true, size: true, preview: true, thumb: true }).extend({ url: z.string() }),
				spaceId: z.string(),
			}),
		),
	/** FOLDER_NAME_REQUIRED, NAME_EXISTS, NAME_INVALID, NAME_TOO_LONG, TOO_DEEP, FOLDER_GONE. */
	createFolder: endpoint('admin', 'POST /api/spaces/{owner}/folders', 'Create a folder')
		.input(z.object({ owner, path, name: typedName }))
		.output(node),
	/** Finds or creates the folders of a dropped tree; a refused path does not stop the call. NOT_FOUND, FOLDER_GONE. */
	ensureFolders: endpoint('admin', 'POST /api/spaces/{owner}/folder-paths', 'Find or create folders by their paths', {
		bodyLimitBytes: 4 * 1024 * 1024,
	})
		.input(
			z.object({
				owner,
				path,
				/** Paths of folder names, relative to `path`. */
				paths: z
					.array(z.array(typedName).min(1).max(limits.folderDepthMax))
					.min(1)
					.max(limits.nodesPerCallMax, 'error_too_many_at_once'),
			}),
		)
		.output(z.object({ items: ensuredFolders })),
	/** Renames a node, without changing a folder's realPath or the paths below. Errors as for createFolder. */
	rename: endpoint('admin', 'POST /api/nodes/{id}/rename', 'Rename a folder or file')
		.input(z.object({ id: nodeId, name: typedName }))
		.output(node),
	/** Moves nodes within a space. NAME_EXISTS, FILE_EXISTS, INTO_ITSELF, TOO_DEEP, NOT_FOUND. */
	move: endpoint('admin', 'POST /api/nodes/move', 'Move folders and files')
		.input(z.object({ ids: nodeIds, path }))
		.output(bulkResult),
	/** Copies nodes to a folder of any space; a folder appears when complete. Errors as for move, QUOTA_EXCEEDED. */
	copy: endpoint('admin', 'POST /api/nodes/copy', 'Copy folders and files')
		.input(z.object({ ids: nodeIds, owner, path }))
		.output(bulkResult.extend({ /** IDs of folders that a job is still copying. */ underWay: z.array(z.string()) })),
	/** Moves a node with everything below it to the trash; access ends at once. */
	remove: command('admin', 'DELETE /api/nodes/{id}', 'Delete a file, or a folder and its content').input(
		z.object({ id: nodeId }),
	),
	removeMany: endpoint('admin', 'POST /api/nodes/remove', 'Delete folders and files')
		.input(z.object({ ids: nodeIds }))
		.output(bulkResult),
	/** Lists the trash, newest first; with a search, the nodes whose own name contains the text. */
	listTrash: endpoint('admin', 'GET /api/spaces/{owner}/trash', 'List the trash of a space')
		.input(z.object({ owner, search: searchText, cursor, limit: pageSize }))
		.output(
			pageOf(trashedNode, {
				/** Number of listed nodes on all pages. */
				total: z.number(),
				space,
			}),
		),
	/** Restores a node to its folder, or to the root if the folder is deleted. A name in use gets a number. */
	restore: endpoint('admin', 'POST /api/trash/{id}/restore', 'Restore a folder or file from the trash')
		.input(z.object({ id: nodeId }))
		.output(node),
	/** Restores many nodes, each as `restore` does; a refused node does not stop the others. */
	restoreMany: endpoint('admin', 'POST /api/trash/restore', 'Restore folders and files from the trash')
		.input(z.object({ ids: nodeIds }))
		.output(bulkResult),
	purgeMany: endpoint('admin', 'POST /api/trash/purge', 'Permanently delete folders and files from the trash')
		.input(z.object({ ids: nodeIds }))
		.output(bulkResult),
	/** Deletes a node permanently, and its bytes unless another file also uses them. */
	purge: command('admin', 'DELETE /api/trash/{id}', 'Permanently delete a folder or file from the trash').input(
		z.object({ id: nodeId }),
	),
	emptyTrash: endpoint(
		'admin',
		'POST /api/spaces/{owner}/trash/empty',
		'Permanently delete everything in the trash of a space',
	)
		.input(z.object({ owner }))
		.output(z.object({ count: z.number() })),
};

/** Returns the path to upload a video's poster to (multipart/form-data: file). */
export function posterPath(nodeId: string): string {
	return `/api/files/${nodeId}/poster`;
}

/** Path of the tus endpoint. Metadata: `owner`, `path`, `filename`, `filetype`, `conflict` (default `skip`). */
export const uploadsPath = '/api/uploads';

/** Path and content type of a request with several small files; see `batchedFiles`. */
export const uploadBatchPath = '/api/upload-batches';
export const uploadBatchType = 'application/vnd.folio.files';

/** Path for downloading folders and files as one ZIP: `?ids=` lists their IDs, separated by commas. */
export const zipDownloadPath = '/api/archive';

export const zipDownloadQuery = z.object({
	ids: z
		.string()
		.transform((text) => text.split(',').filter((id) => id !== ''))
		.pipe(z.array(z.string().max(100)).min(1).max(limits.zipSelectionMax)),
});

/** Returns the URL that serves a file as an attachment. `url`: the file's URL. */
export function downloadUrl(url: string): string {
	return `${url}?download=1`;
}

export function zipDownloadUrl(ids: readonly string[]): string {
	return `${zipDownloadPath}?ids=${ids.map(encodeURIComponent).join(',')}`;
}
