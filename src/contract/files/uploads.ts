import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';

/** What happens if the name exists: `skip` refuses the upload, `rename` adds a number, `replace` replaces the file. */
export const uploadConflicts = ['skip', 'rename', 'replace'] as const;
export type UploadConflict = (typeof uploadConflicts)[number];

export const unfinishedUpload = z.object({
	/** The upload's path is `/api/uploads/{id}`. */
	id: z.string(),
	/** Owner of the space, as in the paths of endpoints. */
	owner: z.string(),
	/** Chain of realPaths of the target folder; '' at the root. */
	path: z.string(),
	/** Names of the target folders, from the root. */
	folders: z.array(z.string()),
	name: z.string(),
	sizeBytes: z.number(),
	arrivedBytes: z.number(),
	/** Last modification of the file, in milliseconds since 1970; null when the browser did not send it. */
	modifiedMs: z.number().nullable(),
	createdAt: timestamp,
	conflict: z.enum(uploadConflicts),
	/** Whether bytes are arriving now, from this browser or another. */
	isReceiving: z.boolean(),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

export const uploads = {
	/** Lists the caller's unfinished uploads, except those into deleted folders, which cannot be finished. */
	list: endpoint('admin', 'GET /api/uploads', 'List your own unfinished uploads')
		.input(z.object({ cursor, limit: pageSize }))
		.output(pageOf(unfinishedUpload)),
};
