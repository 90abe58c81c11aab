import * as z from 'zod';
import { cursor, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';

/**
 * What becomes of an upload whose name is taken: it is left out, goes under the next free name, or takes the place of
 * the file that has the name, which goes to the trash as the new one appears. Fixed when the upload is begun.
 */
export const uploadConflicts = ['skip', 'rename', 'replace'] as const;
export type UploadConflict = (typeof uploadConflicts)[number];

/** An upload that was begun and is not whole yet. */
export const unfinishedUpload = z.object({
	/** Its address is `/api/uploads/{id}`. */
	id: z.string(),
	/** The owner of the space, as in its address. */
	owner: z.string(),
	/** The folder's chain of realPaths, '' at the root. */
	path: z.string(),
	/** Names of the folders it goes into, from the root. */
	folders: z.array(z.string()),
	name: z.string(),
	sizeBytes: z.number(),
	arrivedBytes: z.number(),
	/** When the file itself was last changed, in milliseconds since 1970; null when the browser did not say. */
	modifiedMs: z.number().nullable(),
	createdAt: timestamp,
	conflict: z.enum(uploadConflicts),
	/** Bytes are coming in right now, from this browser or another. */
	isReceiving: z.boolean(),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

export const uploads = {
	/** What the caller began and did not finish; another's is absent. What is in a deleted folder cannot be finished. */
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/uploads', summary: 'Own uploads that are not whole yet' })
		.input(z.object({ cursor, limit: pageSize }))
		.output(z.object({ items: z.array(unfinishedUpload), nextCursor: z.string().nullable() })),
};
