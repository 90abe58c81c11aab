import * as z from 'zod';
import { cursor, pageSize } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';

const chatFilesPerDay = z.number().int().min(0).max(10_000);
/** At least a megabyte: every text counts too. */
const chatBytesPerDay = z
	.number()
	.int()
	.min(1024 * 1024)
	.max(Number.MAX_SAFE_INTEGER);

/** What the owner decides about files; quotas in bytes, null for no limit. */
export const filesSettings = z.object({
	/** Days in the trash until something goes for good by itself. */
	trashDays: z.number().int().min(1).max(3650),
	/** For every space that has none of its own. */
	quotaBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
	/** How long a browser goes on trying an upload without a line, in minutes. */
	retryMinutes: z.number().int().min(1).max(10_080),
	/** What a member may send in the chat within 24 hours. */
	chatFilesPerDay,
	chatBytesPerDay,
	/** The same for a member without book access: no order is Complete, and no admin has granted it. */
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

/** One space with what it holds, its trash included. */
export const spaceUsage = z.object({
	ownerId: z.string(),
	/** The owner's address, or the reserved name. */
	email: z.string(),
	fileCount: z.number(),
	usedBytes: z.number(),
	/** How much of it lies in the trash. */
	trashBytes: z.number(),
	/** This space's own quota; null where the default of the settings holds. */
	quotaBytes: z.number().nullable(),
});
export type SpaceUsage = z.infer<typeof spaceUsage>;

export const spaces = {
	/** Everybody's: the largest first, then those that hold nothing by address. */
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/spaces', summary: 'Space used by person' })
		.input(z.object({ cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(spaceUsage),
				nextCursor: z.string().nullable(),
				/** `freeBytes`: null where nothing here limits them. */
				totals: z.object({ fileCount: z.number(), usedBytes: z.number(), freeBytes: z.number().nullable() }),
				/** What runs: the program's version, and the last change of the database. */
				version: z.object({ program: z.string(), database: z.string() }),
			}),
		),
	/** NOT_FOUND. */
	setQuota: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/spaces/{owner}/quota', summary: "Set a space's quota" })
		.input(
			z.object({
				owner: z.string().max(300),
				quotaBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
			}),
		)
		.output(spaceUsage),
	getSettings: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/files', summary: 'Settings of files' })
		.output(filesSettings.extend({ version: z.number() })),
	/** STALE when somebody else saved meanwhile. */
	saveSettings: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/files', summary: 'Save the settings of files' })
		.input(filesSettings.extend({ version: z.number() }))
		.output(z.object({ version: z.number() })),
};
