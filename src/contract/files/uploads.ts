import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';

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

/** The files of a batch: the first line of its body, as JSON. Their bytes follow in the same order. */
export const batchedFiles = z
	.array(
		z.object({
			/** Chosen by the browser; see `unfinishedUpload`. */
			id: z.string().regex(/^[\w-]{22}$/u),
			owner: z.string().max(300),
			path: z.string().max(2000),
			name: z.string(),
			sizeBytes: z.int().min(1).max(limits.uploadFirstChunkBytes),
			modifiedMs: z.int().nonnegative().nullable(),
			conflict: z.enum(uploadConflicts),
		}),
	)
	.min(1)
	.max(limits.uploadBatchMaxFiles);
export type BatchedFile = z.infer<typeof batchedFiles>[number];

/** For each file of a batch: null when it is stored, otherwise the error, as in the response of a single upload. */
export interface BatchResponse {
	items: Array<{ status: number; code: string; message: string } | null>;
}

export const uploads = {
	/** Lists the caller's unfinished uploads, except those into deleted folders, which cannot be finished. */
	list: endpoint('admin', 'GET /api/uploads', 'List your own unfinished uploads')
		.input(z.object({ cursor, limit: pageSize }))
		.output(pageOf(unfinishedUpload)),
};
