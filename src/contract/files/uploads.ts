import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';

/** For a name that is taken: skip, take the next free name, or replace the file once complete. Fixed at creation. */
export const uploadConflicts = ['skip', 'rename', 'replace'] as const;
export type UploadConflict = (typeof uploadConflicts)[number];

/** An upload that was started and is not complete. */
export const unfinishedUpload = z.object({
	/** The upload's path is `/api/uploads/{id}`. */
	id: z.string(),
	/** Owner of the space, as the space's path names it. */
	owner: z.string(),
	/** Chain of realPaths of the target folder; '' at the root. */
	path: z.string(),
	/** Names of the target folders, from the root. */
	folders: z.array(z.string()),
	name: z.string(),
	sizeBytes: z.number(),
	arrivedBytes: z.number(),
	/** Last modification of the file, in milliseconds since 1970; null when the browser did not say. */
	modifiedMs: z.number().nullable(),
	createdAt: timestamp,
	conflict: z.enum(uploadConflicts),
	/** Whether bytes are arriving now, from this browser or another. */
	isReceiving: z.boolean(),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

export const uploads = {
	/** Lists the caller's unfinished uploads, except those into deleted folders, which cannot be finished. */
	list: endpoint('admin', 'GET /api/uploads', 'Own uploads that are not whole yet')
		.input(z.object({ cursor, limit: pageSize }))
		.output(pageOf(unfinishedUpload)),
};
