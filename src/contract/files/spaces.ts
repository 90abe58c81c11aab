import * as z from 'zod';
import { cursor, pageOf, pageSize } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';

const chatFilesPerDay = z.number().int().min(0).max(10_000);
/** At least 1 MiB, because texts also count. */
const chatBytesPerDay = z
	.number()
	.int()
	.min(1024 * 1024)
	.max(Number.MAX_SAFE_INTEGER);

/** File settings; quotas in bytes, null for no limit. */
export const filesSettings = z.object({
	/** Days until a node in the trash is permanently deleted. */
	trashDays: z.number().int().min(1).max(3650),
	/** Quota of every space that has no quota of its own. */
	quotaBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
	/** Minutes for which a browser retries an upload without a connection. */
	retryMinutes: z.number().int().min(1).max(10_080),
	/** Limits for what a member may send in the chat within 24 hours. */
	chatFilesPerDay,
	chatBytesPerDay,
	/** The limits for a member without book access: no order is Complete, and no admin has granted access. */
	chatFilesPerDayUnpaid: chatFilesPerDay,
	chatBytesPerDayUnpaid: chatBytesPerDay,
});
export type FilesSettings = z.infer<typeof filesSettings>;

export const defaultFilesSettings: FilesSettings = {
	trashDays: limits.trashDaysDefault,
	quotaBytes: null,
	retryMinutes: limits.retryMinutesDefault,
	chatFilesPerDay: 20,
	chatBytesPerDay: 100 * 1024 * 1024,
	chatFilesPerDayUnpaid: 5,
	chatBytesPerDayUnpaid: 25 * 1024 * 1024,
};

/** Usage of one space, its trash included. */
export const spaceUsage = z.object({
	ownerId: z.string(),
	/** The owner's email address, or the reserved name. */
	email: z.string(),
	fileCount: z.number(),
	usedBytes: z.number(),
	/** Bytes of `usedBytes` that are in the trash. */
	trashBytes: z.number(),
	/** The space's own quota; null when the default of the settings applies. */
	quotaBytes: z.number().nullable(),
});
export type SpaceUsage = z.infer<typeof spaceUsage>;

export const spaces = {
	/** Lists all spaces, largest first, then the empty spaces by email address. */
	list: endpoint('admin', 'GET /api/spaces', 'List the spaces with their usage')
		.input(z.object({ cursor, limit: pageSize }))
		.output(
			pageOf(spaceUsage, {
				/** `freeBytes` is null when the storage has no known limit. */
				totals: z.object({ fileCount: z.number(), usedBytes: z.number(), freeBytes: z.number().nullable() }),
				/** Version of the program, and the last executed database migration. */
				version: z.object({ program: z.string(), database: z.string() }),
			}),
		),
	setQuota: endpoint('admin', 'PUT /api/spaces/{owner}/quota', 'Set the quota of a space')
		.input(
			z.object({
				owner: z.string().max(300),
				quotaBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
			}),
		)
		.output(spaceUsage),
	getSettings: endpoint('admin', 'GET /api/settings/files', 'Get the file settings').output(
		filesSettings.extend({ version: z.number() }),
	),
	/** STALE when another admin has saved meanwhile. */
	saveSettings: endpoint('admin', 'PUT /api/settings/files', 'Save the file settings')
		.input(filesSettings.extend({ version: z.number() }))
		.output(z.object({ version: z.number() })),
};
