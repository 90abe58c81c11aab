import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { cursor, pageSize, searchText, timestamp } from '../core/page.ts';
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
	/** Address of the bytes (`?download=1` for an attachment); null for folders. */
	url: z.string().nullable(),
	/** Decided by content where the ending leaves it open; null offers a download only. */
	preview: z.enum(['image', 'video', 'audio', 'pdf']).nullable(),
});
export type Node = z.infer<typeof node>;

export const fileErrors = defineErrors({
	FOLDER_NAME_REQUIRED: { status: 422, text: 'error_folder_name_required' },
	NAME_EXISTS: { status: 409, text: 'error_name_exists' },
	FILE_EXISTS: { status: 409, text: 'error_file_exists' },
	NAME_INVALID: { status: 422, text: 'error_name_invalid' },
	NAME_TOO_LONG: { status: 422, text: 'error_name_too_long' },
	UPLOAD_TOO_LARGE: { status: 413, text: 'error_upload_too_large' },
	UPLOAD_OFFSET: { status: 409, text: 'error_upload_offset' },
	FOLDER_GONE: { status: 404, text: 'error_folder_gone' },
});

/** Whose space: an address, `me`, or one of the reserved owners `guest` and `book`. */
const owner = z.string().max(300);
const path = z.string().max(2000).default('');
/** How long a name may be, the service says; beyond this none is even looked at. */
const typedName = z.string().max(10_000, 'error_name_too_long');

export const files = {
	/** Folders first, then files, each in the specified order. Members read their own space and `guest`; all else is 404. */
	list: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/spaces/{owner}/nodes', summary: 'List a folder' })
		.input(
			z.object({ owner, path, search: searchText, type: z.enum(fileFilters).default('all'), cursor, limit: pageSize }),
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
				space: z.object({ id: z.string(), email: z.string() }),
			}),
		),
	/** FOLDER_NAME_REQUIRED, NAME_EXISTS, NAME_INVALID, NAME_TOO_LONG, FOLDER_GONE. */
	createFolder: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/spaces/{owner}/folders', summary: 'Create a folder' })
		.input(z.object({ owner, path, name: typedName }))
		.output(node),
	/** The same refusals as createFolder. The folder's identity, and so everything below, stays where it is. */
	renameFolder: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/folders/{id}/rename', summary: 'Rename a folder' })
		.input(z.object({ id: z.string(), name: typedName }))
		.output(node),
	/** Takes access away at once, for a folder with everything below it. */
	remove: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/nodes/{id}', summary: 'Delete a file, or a folder and its content' })
		.input(z.object({ id: z.string() }))
		.output(z.object({})),
};

/** The tus endpoint. Metadata at creation: `owner`, `path`, `filename`, `filetype`. Admins only; another's upload is absent. */
export const uploadsPath = '/api/uploads';
