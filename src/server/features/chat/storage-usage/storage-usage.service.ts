import * as z from 'zod';
import type { chat } from '#contract/chat/chat.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { isoAt } from '../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { getFilesSettings } from '../../files/index.ts';
import { dayLimitsOf, openCounts } from '../chat-limits.ts';
import * as queries from './storage-usage.queries.ts';

const position = z.tuple([z.number(), z.string()]);

/** Returns a page of conversations by stored bytes, largest first. @throws AppError INVALID_INPUT */
export async function listChatStorage(deps: Deps, input: InputOf<typeof chat.storage>) {
	const rows = await queries.listStoredChats(deps.db, unpackCursor(input.cursor, position), input.limit + 1);
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.stored_bytes, last.user_id]);
	const settings = await getFilesSettings(deps.db);
	const now = isoAt(deps.clock);
	return {
		items: page.map((row) => {
			const { dayFiles, dayBytes } = openCounts(row, now);
			const { files, bytes } = dayLimitsOf(deps, settings, row.has_access === 1);
			return {
				userId: row.user_id,
				email: row.email,
				fileCount: row.stored_files,
				usedBytes: row.stored_bytes,
				lastDay: { fileCount: dayFiles, usedBytes: dayBytes, filesLimit: files, bytesLimit: bytes },
			};
		}),
		nextCursor,
		totals: await queries.sumStoredChats(deps.db),
	};
}
